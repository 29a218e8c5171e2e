;; class: table.fill in a loop: work that is cheap in instructions
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (table 10000 funcref)
    (func (export "go")
      (loop (table.fill (i32.const 0) (ref.null func) (i32.const 10000)) (br 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
