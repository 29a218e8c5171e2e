;; class: a call through an element that is null
;; expect: trap: uninitialized element
(component
  (core module $m
    (table 1 funcref)
    (func (export "go") (call_indirect (i32.const 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
