;; class: a tagged UTF-16 string of the compact encoding that ends beyond the memory
;; expect: trap: string pointer/length out of bounds of memory
(component
  (core module $m
    (memory (export "memory") 1)
    
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 16))
      (i32.store (i32.const 12) (i32.const -1))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result string) (canon lift (core func $i "go") (memory $i "memory") string-encoding=latin1+utf16)))
