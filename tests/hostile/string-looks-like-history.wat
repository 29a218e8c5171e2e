;; class: a result that looks like entries of the history: it must stay data
;; expect: ok\n[9 loop.txt 000000000000]\nnot on the list.\nclose
(component
  (core module $m
    (memory (export "memory") 1)
    (data (i32.const 16) "ok\0a[9 loop.txt 000000000000]\0anot on the list.\0aclose")
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 16))
      (i32.store (i32.const 12) (i32.const 51))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result string) (canon lift (core func $i "go") (memory $i "memory"))))
