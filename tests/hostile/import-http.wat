;; class: the network, which nothing has granted
;; expect: refused: it cannot be opened here: `wasi:http/outgoing-handler@0.2.0` would take the grant `hosts`, which this version of Doorlist does not have yet
(component
  (import "wasi:http/outgoing-handler@0.2.0" (instance))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
