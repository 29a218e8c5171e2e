;; class: an interface of WASI with a function of another type
;; expect: error: the door cannot be opened: the component cannot be linked: component imports instance `wasi:random/random@0.2.0`, but a matching implementation was not found in the linker: instance export `get-random-u64` has the wrong type: type mismatch with parameters: expected 0-tuple, found 1-tuple
(component
  (import "wasi:random/random@0.2.0" (instance (export "get-random-u64" (func (param "x" string) (result string)))))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
