;; class: the network, which nothing has granted
;; expect: refused: it cannot be opened here: `wasi:http/incoming-handler@0.2.0` is neither WASI 0.2 nor an interface of Doorlist
(component
  (import "wasi:http/incoming-handler@0.2.0" (instance))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
