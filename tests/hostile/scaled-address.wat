;; class: an address that is shifted and added to, which a code generator once computed in 64 bits (RUSTSEC-2023-0090)
;; expect: trap: out of bounds memory access
(component
  (core module $m
    (memory 1)
    (func $at (param i32) (result i32)
      (i32.load offset=0 (i32.add (i32.shl (local.get 0) (i32.const 3)) (i32.const -8))))
    (func (export "go") (result i32) (call $at (i32.const 0x1fffffff))))
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
