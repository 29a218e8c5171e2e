;; class: a list of 2^32 - 1 booleans beyond the memory: no bytes to stop it
;; expect: trap: list pointer/length out of bounds of memory
(component
  (core module $m
    (memory (export "memory") 1)
    
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 0))
      (i32.store (i32.const 12) (i32.const -1))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (list bool)) (canon lift (core func $i "go") (memory $i "memory"))))
