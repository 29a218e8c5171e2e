;; class: more tables than any program has
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: module table does not fit in pooling allocator requirements: defined tables count of 51 exceeds the per-instance limit of 10
(component
  (core module $m
    (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref) (table 0 funcref)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
