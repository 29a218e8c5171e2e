;; class: three million empty lines for the trace, in one call of the host
;; expect: ok
(component
  (import "doorlist:host/log@0.1.0" (instance $log
    (type $level' (enum "trace" "debug" "info" "warn" "error"))
    (export "level" (type $level (eq $level')))
    (export "log" (func (param "level" $level) (param "text" string)))))
  (core module $libc (memory (export "memory") 1000))
  (core instance $libc (instantiate $libc))
  (core func $log (canon lower (func $log "log") (memory $libc "memory")))
  (core module $m
    (import "host" "log" (func $log (param i32 i32 i32)))
    (import "libc" "memory" (memory 1000))
    (func (export "go")
      (memory.fill (i32.const 0) (i32.const 10) (i32.const 3000000))
      (call $log (i32.const 3) (i32.const 0) (i32.const 3000000))))
  (core instance $i (instantiate $m
    (with "host" (instance (export "log" (func $log))))
    (with "libc" (instance $libc))))
  (func (export "go") (canon lift (core func $i "go"))))
