;; A door without WASI that writes what it is told into the trace, as a warning.
(component
  (import "doorlist:host/log@0.1.0" (instance $log
    (type $level' (enum "trace" "debug" "info" "warn" "error"))
    (export "level" (type $level (eq $level')))
    (export "log" (func (param "level" $level) (param "text" string)))))
  (core module $memory
    (memory (export "memory") 1)
    (global $next (mut i32) (i32.const 16))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (global.get $next))
      (global.set $next (i32.add (global.get $next) (local.get 3)))
      (local.get $at)))
  (core instance $memory (instantiate $memory))
  (core func $log (canon lower (func $log "log") (memory (core memory $memory "memory"))))
  (core module $door
    (import "host" "log" (func $log (param i32 i32 i32)))
    (func (export "warn") (param i32 i32)
      (call $log (i32.const 3) (local.get 0) (local.get 1))))
  (core instance $door (instantiate $door (with "host" (instance (export "log" (func $log))))))
  (func (export "warn") (param "text" string)
    (canon lift (core func $door "warn")
      (memory (core memory $memory "memory")) (realloc (core func $memory "realloc")))))
