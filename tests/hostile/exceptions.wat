;; class: exceptions, with which fuel could be spared, and which are not offered (RUSTSEC-2026-0315)
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: exceptions proposal not enabled (at offset 0x1e)
(component
  (core module $m
    (tag $t)
    (func (export "go")
      (block $caught (try_table (catch_all $caught) (throw $t)))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
