;; class: a list of lists that all lie at one place: small in the guest, huge in the host
;; expect: limit: the door returned more than 4194304 bytes.
(component
  (core module $m
    (memory (export "memory") 20)
    (func (export "go") (result i32)
      (local $at i32)
      (local.set $at (i32.const 131072))
      (loop
        (i32.store (local.get $at) (i32.const 0))
        (i32.store offset=4 (local.get $at) (i32.const 65536))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if 0 (i32.lt_u (local.get $at) (i32.const 1179648))))
      (i32.store (i32.const 8) (i32.const 131072))
      (i32.store (i32.const 12) (i32.const 131072))
      (i32.const 8))
  )
  (core instance $i (instantiate $m))
  (func (export "go") (result (list (list u8))) (canon lift (core func $i "go") (memory $i "memory"))))
