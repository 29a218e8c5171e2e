;; class: trap in post-return, after the result was read
;; expect: trap: wasm `unreachable` instruction executed
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "after") (param i32) (unreachable))
    (func (export "go") (result i32) (i32.const 7))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go") (post-return (func $i "after")))))
