;; class: recursion with large frames: a guard page must not be jumped over
;; expect: limit: the door's calls are nested deeper than its stack of 524288 bytes.
(component
  (core module $m
    (func $f (param i64 i64 i64 i64) (result i64)
      (local i64 i64 i64 i64)
      (i64.add (call $f (local.get 1) (local.get 2) (local.get 3) (local.get 0)) (local.get 4)))
    (func (export "go")
      (drop (call $f (i64.const 1) (i64.const 2) (i64.const 3) (i64.const 4))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
