;; class: realloc grows the memory at each call
;; with: {"text":"x"}
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (drop (memory.grow (i32.const 2000))) (i32.const 1024))
    (func (export "go") (param i32 i32))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (param "text" string) (canon lift (core func $i "go") (memory $i "memory") (realloc (func $i "realloc")))))
