;; class: a trap of the program itself: a panic
;; expect: trap: wasm `unreachable` instruction executed
(component
  (core module $m
    (func (export "go") (unreachable))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
