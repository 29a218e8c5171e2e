;; Uses up whatever it is told to. Imports nothing.
(component
  (core module $m
    (memory (export "memory") 1)
    (table $t 1 funcref)
    (global $next (mut i32) (i32.const 4096))

    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (global.get $next)
      (global.set $next (i32.add (global.get $next) (local.get 3))))

    (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
    (func (export "spin") (loop $again (br $again)))
    (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
    (func (export "widen") (param i32) (result i32)
      (table.grow $t (ref.null func) (local.get 0)))
    (func (export "crash") unreachable)
    (func (export "divide") (param i32 i32) (result i32)
      (i32.div_u (local.get 0) (local.get 1)))
    (func (export "outside") (result i32) (i32.load (i32.const -8)))
    (func $recurse (export "recurse") (param i32) (result i32)
      (i32.add (call $recurse (local.get 0)) (i32.const 1)))

    ;; Fills 32 KiB so often: fuel is charged by the byte.
    (func (export "fill") (param i32)
      (loop $again
        (memory.fill (i32.const 8192) (i32.const 1) (i32.const 32768))
        (br_if $again
          (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))

    ;; A counter in memory: were it not a fresh instance, it would go on counting.
    (func (export "count") (result i32)
      (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
      (i32.load (i32.const 0)))

    ;; So many bytes that are there only once.
    (func (export "bytes") (param i32) (result i32)
      (i32.store (i32.const 16) (i32.const 0))
      (i32.store (i32.const 20) (local.get 0))
      (i32.const 16))

    ;; A list of 1,000 strings, each the same 40,000 bytes.
    (func (export "aliases") (result i32)
      (local $n i32)
      (loop $again
        (i32.store offset=1024 (i32.mul (local.get $n) (i32.const 8)) (i32.const 16384))
        (i32.store offset=1028 (i32.mul (local.get $n) (i32.const 8)) (i32.const 40000))
        (br_if $again
          (i32.lt_u
            (local.tee $n (i32.add (local.get $n) (i32.const 1)))
            (i32.const 1000))))
      (i32.store (i32.const 16) (i32.const 1024))
      (i32.store (i32.const 20) (i32.const 1000))
      (i32.const 16)))

  (core instance $i (instantiate $m))

  (func (export "add") (param "a" u32) (param "b" u32) (result u32)
    (canon lift (core func $i "add")))
  (func (export "spin") (canon lift (core func $i "spin")))
  (func (export "grow") (param "pages" u32) (result s32) (canon lift (core func $i "grow")))
  (func (export "widen") (param "by" u32) (result s32) (canon lift (core func $i "widen")))
  (func (export "crash") (canon lift (core func $i "crash")))
  (func (export "divide") (param "a" u32) (param "b" u32) (result u32)
    (canon lift (core func $i "divide")))
  (func (export "outside") (result u32) (canon lift (core func $i "outside")))
  (func (export "recurse") (param "n" u32) (result u32) (canon lift (core func $i "recurse")))
  (func (export "fill") (param "times" u32) (canon lift (core func $i "fill")))
  (func (export "count") (result u32) (canon lift (core func $i "count")))
  (func (export "bytes") (param "len" u32) (result (list u8))
    (canon lift (core func $i "bytes") (memory $i "memory")))
  (func (export "aliases") (result (list string))
    (canon lift (core func $i "aliases") (memory $i "memory"))))
