;; class: realloc gives an odd address for a list of u64
;; with: {"text":[1,2]}
;; expect: trap: realloc return: result not aligned
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 9))
    (func (export "go") (param i32 i32))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (param "text" (list u64)) (canon lift (core func $i "go") (memory $i "memory") (realloc (func $i "realloc")))))
