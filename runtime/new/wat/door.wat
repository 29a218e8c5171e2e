;; The door NAME: a core module, which is packed as the component that wit/door.wit describes.
(module
  (memory (export "memory") 1)
  (data (i32.const 0) "Hello, ")
  (data (i32.const 8) "expected a name")

  ;; Memory is handed out from here on and never taken back: every opening starts anew.
  (global $next (mut i32) (i32.const 64))

  (func $allocate (export "cabi_realloc") (param $old i32) (param $old-size i32) (param $align i32) (param $size i32)
    (result i32)
    (local $at i32)
    (local.set $at (i32.and
      (i32.add (global.get $next) (i32.sub (local.get $align) (i32.const 1)))
      (i32.sub (i32.const 0) (local.get $align))))
    (global.set $next (i32.add (local.get $at) (local.get $size)))
    (if (i32.gt_u (global.get $next) (i32.mul (memory.size) (i32.const 65536)))
      (then
        (if (i32.eq (i32.const -1) (memory.grow
              (i32.add (i32.div_u (local.get $size) (i32.const 65536)) (i32.const 1))))
          (then unreachable))))
    (local.get $at))

  ;; greet: func(name: string) -> result<string, string>. What is returned lies at 32: which of the
  ;; two, where, and how many bytes.
  (func (export "greet") (param $name i32) (param $length i32) (result i32)
    (local $text i32)
    (if (i32.eqz (local.get $length))
      (then
        (i32.store (i32.const 32) (i32.const 1))
        (i32.store (i32.const 36) (i32.const 8))
        (i32.store (i32.const 40) (i32.const 15))
        (return (i32.const 32))))
    (local.set $text (call $allocate
      (i32.const 0) (i32.const 0) (i32.const 1) (i32.add (local.get $length) (i32.const 8))))
    (memory.copy (local.get $text) (i32.const 0) (i32.const 7))
    (memory.copy (i32.add (local.get $text) (i32.const 7)) (local.get $name) (local.get $length))
    (i32.store8 offset=7 (i32.add (local.get $text) (local.get $length)) (i32.const 33))
    (i32.store (i32.const 32) (i32.const 0))
    (i32.store (i32.const 36) (local.get $text))
    (i32.store (i32.const 40) (i32.add (local.get $length) (i32.const 8)))
    (i32.const 32)))
