;; class: what an opening leaves in memory is not there for the next
;; expect: 0
(component
  (core module $m
    (memory 1)
    (func (export "go") (result i32)
      (i32.load (i32.const 4096))
      (i32.store (i32.const 4096) (i32.const 7777)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
