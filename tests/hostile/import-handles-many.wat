;; class: one timer named two million times in one call of the host
;; expect: limit: the door returned more than 4194304 bytes.
(component
  (import "wasi:io/poll@0.2.0" (instance $poll
    (export "pollable" (type $pollable (sub resource)))
    (export "poll" (func (param "in" (list (borrow $pollable))) (result (list u32))))))
  (alias export $poll "pollable" (type $pollable))
  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
    (alias outer 1 $pollable (type $outer))
    (export "pollable" (type $pollable (eq $outer)))
    (export "subscribe-duration" (func (param "when" u64) (result (own $pollable))))))
  (core module $libc
    (memory (export "memory") 1000)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 16)))
  (core instance $libc (instantiate $libc))
  (core func $poll (canon lower (func $poll "poll")
    (memory $libc "memory") (realloc (func $libc "realloc"))))
  (core func $after (canon lower (func $clock "subscribe-duration")))
  (core module $m
    (import "wasi" "poll" (func $poll (param i32 i32 i32)))
    (import "wasi" "after" (func $after (param i64) (result i32)))
    (import "libc" "memory" (memory 1000))
    (func (export "go")
      (local $n i32)
      (i32.store (i32.const 16) (call $after (i64.const 1)))
      ;; Each copy doubles what is there.
      (local.set $n (i32.const 4))
      (loop
        (memory.copy (i32.add (i32.const 16) (local.get $n)) (i32.const 16) (local.get $n))
        (local.set $n (i32.shl (local.get $n) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get $n) (i32.const 8388608))))
      (call $poll (i32.const 16) (i32.const 2097152) (i32.const 8))))
  (core instance $i (instantiate $m
    (with "wasi" (instance (export "poll" (func $poll)) (export "after" (func $after))))
    (with "libc" (instance $libc))))
  (func (export "go") (canon lift (core func $i "go"))))
