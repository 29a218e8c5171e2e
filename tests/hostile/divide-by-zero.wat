;; class: a division by zero
;; expect: trap: integer divide by zero
(component
  (core module $m
    (func (export "go") (drop (i32.div_u (i32.const 1) (i32.const 0))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
