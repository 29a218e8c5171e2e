;; class: memory.grow by everything that 32 bits can address
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory 1)
    (func (export "go") (drop (memory.grow (i32.const 65535))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
