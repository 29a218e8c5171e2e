;; class: a pointer to the result at an odd address
;; expect: trap: return pointer not aligned
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "go") (result i32) (i32.const 9))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (tuple u32 u32)) (canon lift (core func $i "go") (memory $i "memory"))))
