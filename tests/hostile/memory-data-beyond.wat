;; class: a data segment beyond the memory, at instantiation
;; expect: trap: out of bounds memory access
(component
  (core module $m
    (memory 1)
    (data (i32.const 65530) "0123456789")
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
