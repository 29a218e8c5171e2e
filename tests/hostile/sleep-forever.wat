;; class: five hundred years of sleep, again and again
;; expect: ok
(component
  (import "wasi:io/poll@0.2.0" (instance $poll
    (export "pollable" (type $pollable (sub resource)))
    (export "[method]pollable.block" (func (param "self" (borrow $pollable))))))
  (alias export $poll "pollable" (type $pollable))
  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
    (alias outer 1 $pollable (type $outer))
    (export "pollable" (type $pollable (eq $outer)))
    (export "subscribe-duration" (func (param "when" u64) (result (own $pollable))))))
  (core func $block (canon lower (func $poll "[method]pollable.block")))
  (core func $after (canon lower (func $clock "subscribe-duration")))
  (core module $m
    (import "wasi" "block" (func $block (param i32)))
    (import "wasi" "after" (func $after (param i64) (result i32)))
    (func (export "go") 
      (local $n i32)
      (loop
        (call $block (call $after (i64.const -1)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get $n) (i32.const 1000))))))
  (core instance $i (instantiate $m (with "wasi" (instance
    (export "block" (func $block))
    (export "after" (func $after))))))
  (func (export "go") (canon lift (core func $i "go"))))
