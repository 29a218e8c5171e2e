;; class: a million resources that are never dropped
;; expect: limit: the door held more than 10000 resources at once.
(component
  (type $r (resource (rep i32)))
  (core func $new (canon resource.new $r))
  (core func $drop (canon resource.drop $r))
  (core module $m
    (import "r" "new" (func $new (param i32) (result i32)))
    (import "r" "drop" (func $drop (param i32)))
    (func (export "go") (loop (drop (call $new (i32.const 1))) (br 0))))
  (core instance $i (instantiate $m (with "r" (instance
    (export "new" (func $new))
    (export "drop" (func $drop))))))
  (func (export "go") (canon lift (core func $i "go"))))
