;; class: a function by itself
;; expect: refused: it cannot be opened here: `shell` is a function by itself; only interfaces can be imported
(component
  (import "shell" (func (param "command" string)))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
