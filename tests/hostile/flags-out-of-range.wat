;; class: flags that do not exist: they are not there
;; expect: ["a","b"]
(component
  (core module $m
    (func (export "go") (result i32) (i32.const 255)))
  (core instance $i (instantiate $m))
  (type $d (flags "a" "b"))
  (export $t "thing" (type $d))
  (func (export "go") (result $t) (canon lift (core func $i "go"))))
