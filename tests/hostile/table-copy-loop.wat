;; class: table.copy in a loop: work that is cheap in instructions
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (table 10000 funcref)
    (func (export "go")
      (loop (table.copy (i32.const 0) (i32.const 5000) (i32.const 5000)) (br 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
