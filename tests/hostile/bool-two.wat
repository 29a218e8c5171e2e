;; class: a bool that is 2: any number but 0 is true
;; expect: true
(component
  (core module $m
    (func (export "go") (result i32) (i32.const 2))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result bool) (canon lift (core func $i "go"))))
