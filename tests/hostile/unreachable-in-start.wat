;; class: a trap in a start function
;; expect: trap: wasm `unreachable` instruction executed
(component
  (core module $m
    (func $f (unreachable))
    (start $f)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
