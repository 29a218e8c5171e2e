;; class: a char that is a surrogate
;; expect: trap: converted integer out of range for `char`
(component
  (core module $m
    (func (export "go") (result i32) (i32.const 55296))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result char) (canon lift (core func $i "go"))))
