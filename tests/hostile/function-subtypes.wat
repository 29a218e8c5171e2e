;; class: a call through a table of a function of a subtype, which ends the process of an engine without garbage collection (RUSTSEC-2026-0570)
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: gc proposal must be enabled to use subtypes (at offset 0x18)
(component
  (core module $m
    (type $h (func))
    (type $f (sub (func)))
    (type $g (sub $f (func)))
    (table 1 funcref)
    (elem (i32.const 0) $t)
    (func $t (type $g))
    (func (export "go") (type $h) (call_indirect (type $f) (i32.const 0))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
