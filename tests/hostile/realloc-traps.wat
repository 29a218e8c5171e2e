;; class: realloc traps while arguments are lowered
;; with: {"text":"x"}
;; expect: trap: wasm `unreachable` instruction executed
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (unreachable))
    (func (export "go") (param i32 i32))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (param "text" string) (canon lift (core func $i "go") (memory $i "memory") (realloc (func $i "realloc")))))
