;; class: 2^64 - 1 random bytes in one call
;; expect: limit: the door drew more than 67108864 random bytes.
(component
  (import "wasi:random/random@0.2.0" (instance $random
    (export "get-random-bytes" (func (param "len" u64) (result (list u8))))))
  (core module $libc
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
  (core instance $libc (instantiate $libc))
  (core func $bytes (canon lower (func $random "get-random-bytes")
    (memory $libc "memory") (realloc (func $libc "realloc"))))
  (core module $m
    (import "wasi" "bytes" (func $bytes (param i64 i32)))
    (func (export "go") (call $bytes (i64.const -1) (i32.const 8))))
  (core instance $i (instantiate $m (with "wasi" (instance (export "bytes" (func $bytes))))))
  (func (export "go") (canon lift (core func $i "go"))))
