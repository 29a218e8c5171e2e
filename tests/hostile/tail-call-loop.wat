;; class: endless loop by tail calls: no stack is used
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (func $f (export "go") (return_call $f))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
