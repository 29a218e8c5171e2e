;; class: 2^40 calls by typed reference, whose fuel was once spared, and which are not offered (RUSTSEC-2026-0315)
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: function references support is not enabled (at offset 0x43)
(component
  (core module $m
    (type $f (func (param i32)))
    (elem declare func $go)
    (func $go (param i32)
      (if (i32.eqz (local.get 0)) (then (return)))
      (call_ref $f (i32.sub (local.get 0) (i32.const 1)) (ref.func $go))
      (call_ref $f (i32.sub (local.get 0) (i32.const 1)) (ref.func $go)))
    (func (export "go") (call $go (i32.const 40))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
