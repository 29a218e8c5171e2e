;; class: a variant case that does not exist
;; expect: trap: discriminant 9 out of range [0..2)
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "go") (result i32)
      (i32.store8 (i32.const 16) (i32.const 9))
      (i32.const 16)))
  (core instance $i (instantiate $m))
  (type $d (variant (case "a" u32) (case "b")))
  (export $t "thing" (type $d))
  (func (export "go") (result $t) (canon lift (core func $i "go") (memory $i "memory"))))
