;; class: endless recursion: the stack of the host must not overflow
;; expect: limit: the door's calls are nested deeper than its stack of 524288 bytes.
(component
  (core module $m
    (func $f (export "go") (call $f))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
