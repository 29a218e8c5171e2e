;; The door that must be unharmed: Fibonacci numbers, through memory, a table and a global.
(component
  (core module $m
    (type $step (func (param i32) (result i32)))
    (memory 2)
    (global $calls (mut i32) (i32.const 0))
    (table funcref (elem $fib))
    (func $fib (type $step)
      (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
      (i32.store (i32.const 65536) (global.get $calls))
      (if (result i32) (i32.lt_u (local.get 0) (i32.const 2))
        (then (local.get 0))
        (else (i32.add
          (call_indirect (type $step) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0))
          (call_indirect (type $step) (i32.sub (local.get 0) (i32.const 2)) (i32.const 0))))))
    (func (export "fib") (type $step)
      ;; What another opening left would be here.
      (if (i32.or (i32.load (i32.const 65536)) (global.get $calls)) (then (unreachable)))
      (call $fib (local.get 0))))
  (core instance $i (instantiate $m))
  (func (export "fib") (param "number" u32) (result u32) (canon lift (core func $i "fib"))))
