;; class: a function of the asynchronous ABI, which is not offered
;; expect: refused: the function `go` cannot be a door: it is an async function, and a door is a plain one
(component
  (core module $m
    (func (export "go") (result i32) (i32.const 0))
    (func (export "back") (param i32 i32 i32) (result i32) (i32.const 0)))
  (core instance $i (instantiate $m))
  (func (export "go") async
    (canon lift (core func $i "go") async (callback (func $i "back")))))
