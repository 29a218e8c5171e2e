;; class: a text of 60 MB given to a function of the host
;; expect: limit: the door returned more than 4194304 bytes.
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
    (func (export "go") (call $log (i32.const 3) (i32.const 0) (i32.const 60000000))))
  (core instance $i (instantiate $m (with "host" (instance (export "log" (func $log))))))
  (func (export "go") (canon lift (core func $i "go"))))
