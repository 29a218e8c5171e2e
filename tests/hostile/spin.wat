;; class: endless loop in the call: fuel must end it
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (func (export "go") (loop (br 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
