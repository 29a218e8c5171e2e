;; class: what an opening leaves in a global is not there for the next
;; expect: 0
(component
  (core module $m
    (global $g (mut i32) (i32.const 0))
    (func (export "go") (result i32)
      (global.get $g)
      (global.set $g (i32.const 7777)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
