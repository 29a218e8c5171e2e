;; class: a string whose bytes are no UTF-8
;; expect: trap: invalid utf-8 sequence of 1 bytes from index 0
(component
  (core module $m
    (memory (export "memory") 1)
    (data (i32.const 16) "\ff\fe")
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 16))
      (i32.store (i32.const 12) (i32.const 2))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result string) (canon lift (core func $i "go") (memory $i "memory"))))
