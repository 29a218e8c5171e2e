;; class: a load at the end of memory that a code generator could widen, under f64x2.splat (RUSTSEC-2026-0087)
;; expect: 1
(component
  (core module $m
    (memory 1)
    (func (export "go") (result i32)
      (f64.store (i32.const 65528) (f64.const 1))
      (i32.trunc_f64_s (f64x2.extract_lane 1 (f64x2.splat (f64.load (i32.const 65528)))))))
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
