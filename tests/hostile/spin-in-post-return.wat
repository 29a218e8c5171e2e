;; class: endless loop in post-return, after the result was read
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "after") (param i32) (loop (br 0)))
    (func (export "go") (result i32) (i32.const 7))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go") (post-return (func $i "after")))))
