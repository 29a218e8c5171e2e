;; class: realloc gives a place beyond the memory
;; with: {"text":"longer than a byte"}
;; expect: trap: realloc return: beyond end of memory
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65535))
    (func (export "go") (param i32 i32))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (param "text" string) (canon lift (core func $i "go") (memory $i "memory") (realloc (func $i "realloc")))))
