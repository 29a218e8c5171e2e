;; Doors written by hand: each does one thing, and compiling them takes a millisecond.
(component
  (core module $code
    (memory (export "memory") 1)
    (global $free (mut i32) (i32.const 4096))
    (func (export "realloc") (param $old i32) (param $old_size i32) (param $align i32) (param $size i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
      (global.set $free (i32.add (local.get $at) (local.get $size)))
      (block $fits
        (br_if $fits (i32.le_u (global.get $free) (i32.mul (memory.size) (i32.const 65536))))
        (drop (memory.grow (i32.add (i32.div_u (local.get $size) (i32.const 65536)) (i32.const 1)))))
      (local.get $at))
    ;; say: func(text: string) -> string
    (func (export "say") (param $at i32) (param $size i32) (result i32)
      (i32.store (i32.const 16) (local.get $at))
      (i32.store (i32.const 20) (local.get $size))
      (i32.const 16))
    ;; fail: func(text: string) -> result<string, string>, always the error
    (func (export "fail") (param $at i32) (param $size i32) (result i32)
      (i32.store8 (i32.const 16) (i32.const 1))
      (i32.store (i32.const 20) (local.get $at))
      (i32.store (i32.const 24) (local.get $size))
      (i32.const 16))
    (func (export "trap") unreachable)
    (func (export "spin") (loop $on (br $on)))
    (func (export "grow")
      (loop $on (drop (memory.grow (i32.const 16))) (br $on)))
    ;; take: func(count: u32) -> u32
    (func (export "take") (param $count i32) (result i32) (local.get $count)))
  (core instance $code (instantiate $code))
  (func (export "say") (param "text" string) (result string)
    (canon lift (core func $code "say") (memory $code "memory") (realloc (func $code "realloc"))))
  (func (export "fail") (param "text" string) (result (result string (error string)))
    (canon lift (core func $code "fail") (memory $code "memory") (realloc (func $code "realloc"))))
  (func (export "trap") (canon lift (core func $code "trap")))
  (func (export "spin") (canon lift (core func $code "spin")))
  (func (export "grow") (canon lift (core func $code "grow")))
  (func (export "take") (param "count" u32) (result u32) (canon lift (core func $code "take"))))
