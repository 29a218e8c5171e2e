;; class: WASI of another version
;; expect: refused: it cannot be opened here: `wasi:cli/environment@0.9.0` is of WASI 0.9.0; this host has WASI 0.2
(component
  (import "wasi:cli/environment@0.9.0" (instance (export "get-arguments" (func (result (list string))))))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
