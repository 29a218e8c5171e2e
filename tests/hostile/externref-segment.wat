;; class: a dropped segment of references that is used (RUSTSEC-2024-0441)
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: gc types are disallowed but found type which requires gc (at offset 0x1f)
(component
  (core module $m
    (table 1 externref)
    (elem $e externref (ref.null extern))
    (func (export "go")
      (elem.drop $e)
      (table.init $e (i32.const 0) (i32.const 0) (i32.const 1))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
