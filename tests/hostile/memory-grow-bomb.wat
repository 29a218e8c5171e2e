;; class: memory.grow page by page until something gives
;; expect: limit: the door asked for more than 67108864 bytes of memory.
(component
  (core module $m
    (memory 1)
    (func (export "go") (loop (drop (memory.grow (i32.const 1))) (br 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
