;; class: a conversion of NaN to an integer
;; expect: trap: invalid conversion to integer
(component
  (core module $m
    (func (export "go") (drop (i32.trunc_f64_s (f64.const nan))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
