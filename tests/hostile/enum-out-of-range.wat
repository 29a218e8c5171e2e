;; class: an enum case that does not exist
;; expect: trap: discriminant 7 out of range [0..2)
(component
  (core module $m
    (func (export "go") (result i32) (i32.const 7)))
  (core instance $i (instantiate $m))
  (type $d (enum "a" "b"))
  (export $t "thing" (type $d))
  (func (export "go") (result $t) (canon lift (core func $i "go"))))
