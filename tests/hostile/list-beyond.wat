;; class: a list that ends beyond the memory
;; expect: trap: list pointer/length out of bounds of memory
(component
  (core module $m
    (memory (export "memory") 1)
    
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 65520))
      (i32.store (i32.const 12) (i32.const 100))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (list u64)) (canon lift (core func $i "go") (memory $i "memory"))))
