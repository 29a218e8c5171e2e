;; class: an initial memory beyond the limit
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory 1025)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
