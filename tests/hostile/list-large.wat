;; class: a list of 60 MiB that is really there
;; expect: limit: the door returned more than 4194304 bytes.
(component
  (core module $m
    (memory (export "memory") 1000)
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 16))
      (i32.store (i32.const 12) (i32.const 62914560))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (list u8)) (canon lift (core func $i "go") (memory $i "memory"))))
