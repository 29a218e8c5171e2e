;; class: realloc gives the same place for everything: the guest harms only itself
;; with: {"a":"x","b":"y"}
;; expect: true
(component
  (core module $m
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
    (func (export "go") (param i32 i32 i32 i32) (result i32)
      (i32.eq (i32.load8_u (local.get 0)) (i32.load8_u (local.get 2))))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (param "a" string) (param "b" string) (result bool) (canon lift (core func $i "go") (memory $i "memory") (realloc (func $i "realloc")))))
