;; class: looks for the arguments of the host: there are none
;; expect: 0
(component
  (import "wasi:cli/environment@0.2.0" (instance $environment
    (export "get-arguments" (func (result (list string))))))
  (core module $libc
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
  (core instance $libc (instantiate $libc))
  (core func $probe (canon lower (func $environment "get-arguments")
    (memory $libc "memory") (realloc (func $libc "realloc"))))
  (core module $m
    (import "libc" "memory" (memory 1))
    (import "wasi" "probe" (func $probe (param i32)))
    (func (export "go") (result i32)
      (call $probe (i32.const 8))
      (i32.load (i32.const 12))))
  (core instance $i (instantiate $m
    (with "libc" (instance $libc))
    (with "wasi" (instance (export "probe" (func $probe))))))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
