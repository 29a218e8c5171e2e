;; class: a page that is new holds nothing of another door
;; expect: 0
(component
  (core module $m
    (memory 1)
    (func (export "go") (result i32)
      (drop (memory.grow (i32.const 8)))
      (i32.or (i32.load (i32.const 65536)) (i32.load (i32.const 300000)))
      (memory.fill (i32.const 65536) (i32.const 0x77) (i32.const 400000)))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result u32) (canon lift (core func $i "go"))))
