;; class: endless loop in realloc, called while arguments are lowered
;; with: {"text":"x"}
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (loop (br 0)) (unreachable))
    (func (export "go") (param i32 i32))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (param "text" string) (canon lift (core func $i "go") (memory $i "memory") (realloc (func $i "realloc")))))
