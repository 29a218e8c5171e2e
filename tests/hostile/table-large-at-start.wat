;; class: an initial table of four thousand million elements
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: module table does not fit in pooling allocator requirements: table index 0 has a minimum element size of 4000000000 which exceeds the limit of 20000
(component
  (core module $m
    (table 4000000000 funcref)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
