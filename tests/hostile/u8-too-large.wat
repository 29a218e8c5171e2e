;; class: a u8 in 32 bits that do not fit it: only its own 8 bits count
;; expect: 255
(component
  (core module $m
    (func (export "go") (result i32) (i32.const 511))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result u8) (canon lift (core func $i "go"))))
