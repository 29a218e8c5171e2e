;; class: a UTF-16 string at an odd address
;; expect: trap: string pointer not aligned to 2
(component
  (core module $m
    (memory (export "memory") 1)
    (data (i32.const 16) "abcd")
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 17))
      (i32.store (i32.const 12) (i32.const 1))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result string) (canon lift (core func $i "go") (memory $i "memory") string-encoding=utf16)))
