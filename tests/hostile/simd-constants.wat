;; class: constant vectors shifted, swizzled and chosen, which code generators once got wrong (RUSTSEC-2022-0095, RUSTSEC-2023-0091, RUSTSEC-2023-0093)
;; expect: 128
(component
  (core module $m
    (func $same (param v128 i32) (result v128)
      (select (local.get 0) (local.get 0) (local.get 1)))
    (func (export "go") (result i32)
      (local $swizzled v128)
      (local.set $swizzled (i8x16.swizzle
        (v128.const i8x16 0 10 20 30 0 0 0 0 0 0 0 0 0 0 0 99)
        (v128.const i8x16 255 3 16 128 0 0 0 0 0 0 0 0 0 0 0 0)))
      (i32.add
        (i32.add
          (i32.wrap_i64 (i64x2.extract_lane 0
            (i64x2.shr_s (v128.const i64x2 -4 -4) (i32.const 1))))
          (i32.add
            (i8x16.extract_lane_u 0 (local.get $swizzled))
            (i8x16.extract_lane_u 1 (local.get $swizzled))))
        (i32.add
          (i32.add
            (i8x16.extract_lane_u 2 (local.get $swizzled))
            (i8x16.extract_lane_u 3 (local.get $swizzled)))
          (i8x16.extract_lane_u 4 (call $same (v128.const i8x16 1 1 1 1 100 1 1 1 1 1 1 1 1 1 1 1) (i32.const 1)))))))
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
