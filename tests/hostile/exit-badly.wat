;; class: an exit with a failure
;; expect: error: the door ended itself with code 1 before it answered.
(component
  (import "wasi:cli/exit@0.2.0" (instance $exit
    (export "exit" (func (param "status" (result))))))
  (core func $exit (canon lower (func $exit "exit")))
  (core module $m
    (import "wasi" "exit" (func $exit (param i32)))
    (func (export "go") (call $exit (i32.const 1))))
  (core instance $i (instantiate $m (with "wasi" (instance (export "exit" (func $exit))))))
  (func (export "go") (canon lift (core func $i "go"))))
