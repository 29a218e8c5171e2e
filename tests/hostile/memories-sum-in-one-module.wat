;; class: several memories of one module, all of them above the limit
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory 400) (memory 400) (memory 400)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
