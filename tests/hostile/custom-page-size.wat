;; class: pages of one byte, which are not offered
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: the custom page sizes proposal must be enabled to customize a memory's page size (at offset 0x1f)
(component
  (core module $m
    (memory 1 (pagesize 1))
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
