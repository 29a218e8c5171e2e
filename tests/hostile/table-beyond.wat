;; class: a call through an index beyond the table
;; expect: trap: undefined element: out of bounds table access
(component
  (core module $m
    (table 1 funcref)
    (func (export "go") (call_indirect (i32.const 9)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
