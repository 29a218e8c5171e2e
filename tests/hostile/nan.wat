;; class: a NaN, which JSON cannot hold
;; expect: error: what the door returned cannot be written down: `result` is NaN, and JSON has no number for that
(component
  (core module $m
    (func (export "go") (result f64) (f64.const nan))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result f64) (canon lift (core func $i "go"))))
