;; class: an infinity, which JSON cannot hold
;; expect: error: what the door returned cannot be written down: `result` is Infinity, and JSON has no number for that
(component
  (core module $m
    (func (export "go") (result f32) (f32.const inf))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result f32) (canon lift (core func $i "go"))))
