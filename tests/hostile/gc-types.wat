;; class: garbage-collected types, whose faults are many and which are not offered (RUSTSEC-2026-0325)
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: struct indexed types not supported without the gc feature (at offset 0x15)
(component
  (core module $m
    (type $s (struct (field i32)))
    (func (export "go") (drop (struct.new $s (i32.const 1)))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
