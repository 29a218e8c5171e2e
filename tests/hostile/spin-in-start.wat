;; class: endless loop in a start function, before any call
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (func $spin (loop (br 0)))
    (start $spin)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
