;; class: cheap calls of the host without end: they cost the guest no fuel
;; expect: limit: the door asked the host more than 1000000 times.
(component
  (import "wasi:random/random@0.2.0" (instance $random
    (export "get-random-u64" (func (result u64)))))
  (core func $number (canon lower (func $random "get-random-u64")))
  (core module $m
    (import "wasi" "number" (func $number (result i64)))
    (func (export "go") (loop (drop (call $number)) (br 0))))
  (core instance $i (instantiate $m (with "wasi" (instance (export "number" (func $number))))))
  (func (export "go") (canon lift (core func $i "go"))))
