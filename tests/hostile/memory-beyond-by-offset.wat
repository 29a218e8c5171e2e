;; class: a load whose address and offset overflow 32 bits
;; expect: trap: out of bounds memory access
(component
  (core module $m
    (memory 1)
    (func (export "go") (drop (i32.load offset=4294967295 (i32.const -1))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
