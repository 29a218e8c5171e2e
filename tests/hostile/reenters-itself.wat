;; class: a component that calls its own export from inside
;; expect: trap: cannot enter component instance
(component
  (core module $shim
    (table (export "t") 1 funcref)
    (type $f (func))
    (func (export "back") (call_indirect (type $f) (i32.const 0))))
  (core instance $shim (instantiate $shim))
  (core module $m
    (import "shim" "back" (func $back))
    (func (export "go") (call $back)))
  (core instance $i (instantiate $m (with "shim" (instance $shim))))
  (func $go (canon lift (core func $i "go")))
  (core func $lowered (canon lower (func $go)))
  (core module $fill
    (import "shim" "t" (table 1 funcref))
    (import "self" "go" (func $go))
    (elem (i32.const 0) func $go))
  (core instance (instantiate $fill
    (with "shim" (instance $shim))
    (with "self" (instance (export "go" (func $lowered))))))
  (export "go" (func $go)))
