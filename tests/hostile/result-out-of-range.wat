;; class: a result that is neither a success nor an error
;; expect: trap: discriminant 9 out of range [0..2)
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "go") (result i32)
      (i32.store8 (i32.const 16) (i32.const 9))
      (i32.const 16))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (tuple (result u32 (error u32)) u32)) (canon lift (core func $i "go") (memory $i "memory"))))
