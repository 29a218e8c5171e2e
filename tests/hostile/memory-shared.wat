;; class: a shared memory, which is not offered
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: threads must be enabled for shared memories (at offset 0x1f)
(component
  (core module $m
    (memory 1 1 shared)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
