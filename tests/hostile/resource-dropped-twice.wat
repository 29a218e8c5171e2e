;; class: a resource that is dropped twice
;; expect: trap: unknown handle index 1
(component
  (type $r (resource (rep i32)))
  (core func $new (canon resource.new $r))
  (core func $drop (canon resource.drop $r))
  (core module $m
    (import "r" "new" (func $new (param i32) (result i32)))
    (import "r" "drop" (func $drop (param i32)))
    (func (export "go") 
      (local i32)
      (local.set 0 (call $new (i32.const 1)))
      (call $drop (local.get 0))
      (call $drop (local.get 0))))
  (core instance $i (instantiate $m (with "r" (instance
    (export "new" (func $new))
    (export "drop" (func $drop))))))
  (func (export "go") (canon lift (core func $i "go"))))
