;; class: a pointer to the result that lies beyond the memory
;; expect: trap: pointer out of bounds of memory
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "go") (result i32) (i32.const 65532))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (tuple u32 u32)) (canon lift (core func $i "go") (memory $i "memory"))))
