;; class: a list of u64 at an odd address
;; expect: trap: list pointer is not aligned
(component
  (core module $m
    (memory (export "memory") 1)
    
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 17))
      (i32.store (i32.const 12) (i32.const 1))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (list u64)) (canon lift (core func $i "go") (memory $i "memory"))))
