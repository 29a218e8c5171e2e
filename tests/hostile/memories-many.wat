;; class: more memories than any program has
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: module memory does not fit in pooling allocator requirements: defined memories count of 51 exceeds the per-instance limit of 10
(component
  (core module $m
    (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0) (memory 0)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
