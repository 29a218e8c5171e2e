;; class: a memory of 64-bit addresses, which is not offered
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: memory64 must be enabled for 64-bit memories (at offset 0x1f)
(component
  (core module $m
    (memory i64 1)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
