;; class: a string of 1 GB that is not there
;; expect: trap: string pointer/length out of bounds of memory
(component
  (core module $m
    (memory (export "memory") 1)
    
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 0))
      (i32.store (i32.const 12) (i32.const 1073741824))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result string) (canon lift (core func $i "go") (memory $i "memory"))))
