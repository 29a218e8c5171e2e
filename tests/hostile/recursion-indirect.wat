;; class: endless recursion through a table
;; expect: limit: the door's calls are nested deeper than its stack of 524288 bytes.
(component
  (core module $m
    (type $t (func))
    (table funcref (elem $f $g))
    (func $f (type $t) (call_indirect (type $t) (i32.const 1)))
    (func $g (type $t) (call_indirect (type $t) (i32.const 0)))
    (func (export "go") (call $f))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
