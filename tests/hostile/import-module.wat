;; class: a core module of the host
;; expect: refused: it cannot be opened here: `libc` is a core module; only interfaces can be imported
(component
  (import "libc" (core module (export "memory" (memory 1))))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
