;; Doors that ask for the end of the run, by doorlist:door/turn.
(component
  (import "doorlist:door/turn@0.1.0" (instance $turn (export "end" (func))))
  (core func $end (canon lower (func $turn "end")))
  (core module $code
    (import "turn" "end" (func $end))
    ;; It returns well.
    (func (export "enough") (result i32) (call $end) (i32.const 7))
    ;; It asks, and fails.
    (func (export "almost") (call $end) unreachable))
  (core instance $code (instantiate $code (with "turn" (instance (export "end" (func $end))))))
  (func (export "enough") (result u32) (canon lift (core func $code "enough")))
  (func (export "almost") (canon lift (core func $code "almost"))))
