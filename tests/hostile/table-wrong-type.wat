;; class: a call through an element of another type
;; expect: trap: indirect call type mismatch
(component
  (core module $m
    (table funcref (elem $f))
    (func $f (param i64))
    (func (export "go") (call_indirect (i32.const 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
