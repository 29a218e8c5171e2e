;; class: a trap under tail calls, whose stack is walked (RUSTSEC-2024-0440)
;; expect: trap: wasm `unreachable` instruction executed
(component
  (core module $m
    (func $c (unreachable))
    (func $b (param i32 i32 i32 i32 i32 i32 i32 i32) (return_call $c))
    (func (export "go")
      (return_call $b (i32.const 1) (i32.const 2) (i32.const 3) (i32.const 4)
        (i32.const 5) (i32.const 6) (i32.const 7) (i32.const 8))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
