;; class: several memories, each below the limit, all of them above it
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory (export "memory") 400)
    (func (export "go")))
  (core instance $a (instantiate $m))
  (core instance $b (instantiate $m))
  (core instance $c (instantiate $m))
  (func (export "go") (canon lift (core func $a "go"))))
