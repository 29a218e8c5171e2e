;; class: the names of raw sockets: no grant brings anything behind them
;; expect: ok
(component
  (import "wasi:sockets/network@0.2.0" (instance (export "network" (type (sub resource)))))
  (core module $m (func (export "go")))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
