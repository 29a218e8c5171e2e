;; class: an initial memory of 4 GiB
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory 65536)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
