;; class: a load beyond the memory
;; expect: trap: out of bounds memory access
(component
  (core module $m
    (memory 1)
    (func (export "go") (drop (i32.load (i32.const 65536))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
