;; class: a load at the end of memory that a code generator could widen, under f64.copysign (RUSTSEC-2026-0006)
;; expect: 1
(component
  (core module $m
    (memory 1)
    (func (export "go") (result i32)
      (f64.store (i32.const 65528) (f64.const 1))
      (i32.trunc_f64_s (f64.copysign (f64.load (i32.const 65528)) (f64.load (i32.const 65528))))))
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
