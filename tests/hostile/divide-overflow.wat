;; class: a division whose result does not fit
;; expect: trap: integer overflow
(component
  (core module $m
    (func (export "go") (drop (i32.div_s (i32.const 0x80000000) (i32.const -1))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
