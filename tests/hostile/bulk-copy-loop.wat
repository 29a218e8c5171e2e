;; class: memory.copy in a loop: work that is cheap in instructions
;; expect: limit: the door used up its fuel of 20000000.
(component
  (core module $m
    (memory 2)
    (func (export "go")
      (loop (memory.copy (i32.const 0) (i32.const 65536) (i32.const 65536)) (br 0)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
