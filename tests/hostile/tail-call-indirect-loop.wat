;; class: endless loop by indirect tail calls
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (type $t (func))
    (table funcref (elem $f))
    (func $f (type $t) (return_call_indirect (type $t) (i32.const 0)))
    (func (export "go") (call $f))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
