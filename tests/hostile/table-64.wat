;; class: a table of 2^40 elements at least, by 64-bit indices
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: invalid var_u32: integer representation too long (at offset 0x25)
(component
  (core module $m
    (table i64 1099511627776 funcref)
    (func (export "go"))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
