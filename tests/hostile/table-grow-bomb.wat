;; class: table.grow until something gives
;; expect: limit: the door asked for more than 20000 table elements.
(component
  (core module $m
    (table 1 funcref)
    (func (export "go") (loop (drop (table.grow (ref.null func) (i32.const 1000))) (br 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
