;; class: marks that turn the direction of the text
;; expect: \u{202e}gnp.exe
(component
  (core module $m
    (memory (export "memory") 1)
    (data (i32.const 16) "\e2\80\aegnp.exe")
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 16))
      (i32.store (i32.const 12) (i32.const 10))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result string) (canon lift (core func $i "go") (memory $i "memory"))))
