;; class: an element segment beyond the table, at instantiation
;; expect: trap: undefined element: out of bounds table access
(component
  (core module $m
    (table 1 funcref)
    (elem (i32.const 5) func $f)
    (func $f)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
