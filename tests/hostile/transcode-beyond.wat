;; class: a UTF-16 string past the end of memory into latin1+utf16 (RUSTSEC-2026-0093)
;; expect: trap: string content out-of-bounds
(component
  (component $callee
    (core module $m
      (memory (export "memory") 1)
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
      (func (export "take") (param i32 i32) (result i32) (local.get 1)))
    (core instance $i (instantiate $m))
    (func (export "take") (param "text" string) (result u32)
      (canon lift (core func $i "take") (memory $i "memory") (realloc (func $i "realloc")) string-encoding=latin1+utf16)))
  (component $caller
    (import "take" (func $take (param "text" string) (result u32)))
    (core module $libc (memory (export "memory") 1))
    (core instance $libc (instantiate $libc))
    (core func $take (canon lower (func $take) (memory $libc "memory") string-encoding=utf16))
    (core module $m
      (import "" "take" (func $take (param i32 i32) (result i32)))
      (func (export "go") (result i32) (call $take (i32.const 65530) (i32.const 64))))
    (core instance $i (instantiate $m (with "" (instance (export "take" (func $take))))))
    (func (export "go") (result u32) (canon lift (core func $i "go"))))
  (instance $callee (instantiate $callee))
  (instance $caller (instantiate $caller (with "take" (func $callee "take"))))
  (export "go" (func $caller "go")))
