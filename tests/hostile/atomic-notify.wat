;; class: atomic wait and notify, which end the process of an engine without threads that takes them (CVE-2026-140414)
;; expect: error: the door cannot be opened: expected a WebAssembly component, found: threads support is not enabled (at offset 0x32)
(component
  (core module $m
    (memory 1)
    (func (export "go") (drop (memory.atomic.notify (i32.const 0) (i32.const 1)))))
  (core instance $i (instantiate $m))
  (func (export "go") (canon lift (core func $i "go"))))
