;; class: records whose host form is far larger than their bytes (RUSTSEC-2026-0316)
;; expect: limit: the door returned more than 4194304 bytes.
(component
  (core module $m
    (memory (export "memory") 600)
    (func (export "go") (result i32)
      (i32.store (i32.const 8) (i32.const 64))
      (i32.store (i32.const 12) (i32.const 1000000))
      (i32.const 8)))
  (core instance $i (instantiate $m))
  (type $r (record (field "f0" u8) (field "f1" u8) (field "f2" u8) (field "f3" u8) (field "f4" u8) (field "f5" u8) (field "f6" u8) (field "f7" u8) (field "f8" u8) (field "f9" u8) (field "f10" u8) (field "f11" u8) (field "f12" u8) (field "f13" u8) (field "f14" u8) (field "f15" u8) (field "f16" u8) (field "f17" u8) (field "f18" u8) (field "f19" u8) (field "f20" u8) (field "f21" u8) (field "f22" u8) (field "f23" u8) (field "f24" u8) (field "f25" u8) (field "f26" u8) (field "f27" u8) (field "f28" u8) (field "f29" u8) (field "f30" u8) (field "f31" u8)))
  (export $named "r" (type $r))
  (func (export "go") (result (list $named)) (canon lift (core func $i "go") (memory $i "memory"))))
