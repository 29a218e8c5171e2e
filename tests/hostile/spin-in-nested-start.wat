;; class: endless loop in the start of a nested component
;; expect: limit: the door used up its fuel of 20000000.
(component
  (component $inner
    (core module $m
      (func $spin (loop (br 0)))
      (start $spin)
      (func (export "go")))
    (core instance $i (instantiate $m))
    (func (export "go") (canon lift (core func $i "go"))))
  (instance $inner (instantiate $inner))
  (export "go" (func $inner "go")))
