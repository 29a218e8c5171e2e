;; class: an interface that no host has
;; expect: refused: it cannot be opened here: `evil:host/shell@1.0.0` is neither WASI 0.2 nor an interface of Doorlist
(component
  (import "evil:host/shell@1.0.0" (instance (export "run" (func (param "command" string)))))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
