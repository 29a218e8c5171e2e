;; Asks WASI for all that an opening's world consists of.
(component
  (import "wasi:io/poll@0.2.0" (instance $poll
    (export "pollable" (type $pollable (sub resource)))
    (export "[method]pollable.block" (func (param "self" (borrow $pollable))))))
  (alias export $poll "pollable" (type $pollable))

  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $monotonic
    (alias outer 1 $pollable (type $outer))
    (export "pollable" (type $pollable (eq $outer)))
    (export "now" (func (result u64)))
    (export "subscribe-duration" (func (param "when" u64) (result (own $pollable))))))

  (import "wasi:clocks/wall-clock@0.2.0" (instance $wall
    (type $d (record (field "seconds" u64) (field "nanoseconds" u32)))
    (export "datetime" (type $datetime (eq $d)))
    (export "now" (func (result $datetime)))))

  (import "wasi:random/random@0.2.0" (instance $random
    (export "get-random-bytes" (func (param "len" u64) (result (list u8))))
    (export "get-random-u64" (func (result u64)))))
  (import "wasi:random/insecure@0.2.0" (instance $insecure
    (export "get-insecure-random-u64" (func (result u64)))))
  (import "wasi:random/insecure-seed@0.2.0" (instance $seed
    (export "insecure-seed" (func (result (tuple u64 u64))))))

  (import "wasi:cli/environment@0.2.0" (instance $environment
    (export "get-environment" (func (result (list (tuple string string)))))
    (export "get-arguments" (func (result (list string))))))
  (import "wasi:cli/exit@0.2.0" (instance $exit
    (export "exit" (func (param "status" (result))))))

  (import "wasi:io/error@0.2.0" (instance $error (export "error" (type (sub resource)))))
  (alias export $error "error" (type $error))
  (import "wasi:io/streams@0.2.0" (instance $streams
    (alias outer 1 $error (type $outer))
    (export "error" (type $error (eq $outer)))
    (type $e (variant (case "last-operation-failed" (own $error)) (case "closed")))
    (export "stream-error" (type $stream-error (eq $e)))
    (export "output-stream" (type $out (sub resource)))
    (export "[method]output-stream.blocking-write-and-flush"
      (func (param "self" (borrow $out)) (param "contents" (list u8))
        (result (result (error $stream-error)))))))
  (alias export $streams "output-stream" (type $out))
  (import "wasi:cli/stdout@0.2.0" (instance $stdout
    (alias outer 1 $out (type $outer))
    (export "output-stream" (type $out (eq $outer)))
    (export "get-stdout" (func (result (own $out))))))

  (import "wasi:filesystem/types@0.2.0" (instance $files
    (export "descriptor" (type $descriptor (sub resource)))
    (type $e (enum "access" "would-block" "already" "bad-descriptor" "busy" "deadlock" "quota"
      "exist" "file-too-large" "illegal-byte-sequence" "in-progress" "interrupted" "invalid" "io"
      "is-directory" "loop" "too-many-links" "message-size" "name-too-long" "no-device" "no-entry"
      "no-lock" "insufficient-memory" "insufficient-space" "not-directory" "not-empty"
      "not-recoverable" "unsupported" "no-tty" "no-such-device" "overflow" "not-permitted" "pipe"
      "read-only" "invalid-seek" "text-file-busy" "cross-device"))
    (export "error-code" (type $error-code (eq $e)))
    (export "[method]descriptor.create-directory-at"
      (func (param "self" (borrow $descriptor)) (param "path" string)
        (result (result (error $error-code)))))))
  (alias export $files "descriptor" (type $descriptor))
  (import "wasi:filesystem/preopens@0.2.0" (instance $preopens
    (alias outer 1 $descriptor (type $outer))
    (export "descriptor" (type $descriptor (eq $outer)))
    (export "get-directories" (func (result (list (tuple (own $descriptor) string)))))))

  (core module $libc
    (memory (export "memory") 1)
    (global $next (mut i32) (i32.const 4096))
    ;; Hands out the same 48 KiB again and again, so that a flood needs no memory.
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (if (i32.gt_u (global.get $next) (i32.const 49152))
        (then (global.set $next (i32.const 4096))))
      (global.get $next)
      (global.set $next
        (i32.and (i32.add (i32.add (global.get $next) (local.get 3)) (i32.const 7))
          (i32.const -8)))))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $memory))
  (alias core export $libc "realloc" (core func $realloc))

  (core func $block (canon lower (func $poll "[method]pollable.block")))
  (core func $mono-now (canon lower (func $monotonic "now")))
  (core func $subscribe (canon lower (func $monotonic "subscribe-duration")))
  (core func $wall-now (canon lower (func $wall "now") (memory $memory)))
  (core func $random-bytes
    (canon lower (func $random "get-random-bytes") (memory $memory) (realloc $realloc)))
  (core func $random-u64 (canon lower (func $random "get-random-u64")))
  (core func $insecure-u64 (canon lower (func $insecure "get-insecure-random-u64")))
  (core func $insecure-seed (canon lower (func $seed "insecure-seed") (memory $memory)))
  (core func $env (canon lower (func $environment "get-environment")
    (memory $memory) (realloc $realloc)))
  (core func $args (canon lower (func $environment "get-arguments")
    (memory $memory) (realloc $realloc)))
  (core func $exit (canon lower (func $exit "exit")))
  (core func $get-stdout (canon lower (func $stdout "get-stdout")))
  (core func $write (canon lower (func $streams "[method]output-stream.blocking-write-and-flush")
    (memory $memory)))
  (core func $directories (canon lower (func $preopens "get-directories")
    (memory $memory) (realloc $realloc)))
  (core func $mkdir (canon lower (func $files "[method]descriptor.create-directory-at")
    (memory $memory)))

  (core module $m
    (import "libc" "memory" (memory 1))
    (import "wasi" "block" (func $block (param i32)))
    (import "wasi" "mono-now" (func $mono-now (result i64)))
    (import "wasi" "subscribe" (func $subscribe (param i64) (result i32)))
    (import "wasi" "wall-now" (func $wall-now (param i32)))
    (import "wasi" "random-bytes" (func $random-bytes (param i64 i32)))
    (import "wasi" "random-u64" (func $random-u64 (result i64)))
    (import "wasi" "insecure-u64" (func $insecure-u64 (result i64)))
    (import "wasi" "insecure-seed" (func $insecure-seed (param i32)))
    (import "wasi" "env" (func $env (param i32)))
    (import "wasi" "args" (func $args (param i32)))
    (import "wasi" "exit" (func $exit (param i32)))
    (import "wasi" "get-stdout" (func $get-stdout (result i32)))
    (import "wasi" "write" (func $write (param i32 i32 i32 i32)))
    (import "wasi" "directories" (func $directories (param i32)))
    (import "wasi" "mkdir" (func $mkdir (param i32 i32 i32 i32)))
    (data (i32.const 512) "new")

    (func (export "seconds") (result i64)
      (call $wall-now (i32.const 16))
      (i64.load (i32.const 16)))
    (func (export "instant") (result i64) (call $mono-now))
    (func (export "sleep") (param i64) (result i64)
      (call $block (call $subscribe (local.get 0)))
      (call $mono-now))
    ;; Never lets go of what it subscribed to.
    (func (export "hoard") (loop $again (drop (call $subscribe (i64.const 1))) (br $again)))

    (func (export "draw") (result i64) (call $random-u64))
    (func (export "draw-all") (result i64)
      (call $insecure-seed (i32.const 16))
      (i64.add
        (i64.add (call $random-u64) (call $insecure-u64))
        (i64.add (i64.load (i32.const 16)) (i64.load (i32.const 24)))))
    (func (export "draw-bytes") (param i64) (result i32)
      (call $random-bytes (local.get 0) (i32.const 16))
      (i32.load (i32.const 20)))

    (func (export "environment") (result i32)
      (call $env (i32.const 16))
      (i32.load (i32.const 20)))
    (func (export "arguments") (result i32)
      (call $args (i32.const 16))
      (i32.load (i32.const 20)))
    (func (export "exit") (param i32) (call $exit (local.get 0)))

    (func (export "print") (param i32 i32)
      (call $write (call $get-stdout) (local.get 0) (local.get 1) (i32.const 16)))
    ;; 4 KiB so often.
    (func (export "flood") (param i32)
      (local $out i32)
      (local.set $out (call $get-stdout))
      (loop $again
        (call $write (local.get $out) (i32.const 4096) (i32.const 4096) (i32.const 16))
        (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))

    (func (export "directories") (result i32)
      (call $directories (i32.const 16))
      (i32.load (i32.const 20)))
    ;; Makes `new` in the first directory: 0 when it could.
    (func (export "make") (result i32)
      (call $directories (i32.const 16))
      (call $mkdir (i32.load (i32.load (i32.const 16)))
        (i32.const 512) (i32.const 3) (i32.const 32))
      (i32.load8_u (i32.const 32))))
  (core instance $i (instantiate $m
    (with "libc" (instance $libc))
    (with "wasi" (instance
      (export "block" (func $block))
      (export "mono-now" (func $mono-now))
      (export "subscribe" (func $subscribe))
      (export "wall-now" (func $wall-now))
      (export "random-bytes" (func $random-bytes))
      (export "random-u64" (func $random-u64))
      (export "insecure-u64" (func $insecure-u64))
      (export "insecure-seed" (func $insecure-seed))
      (export "env" (func $env))
      (export "args" (func $args))
      (export "exit" (func $exit))
      (export "get-stdout" (func $get-stdout))
      (export "write" (func $write))
      (export "directories" (func $directories))
      (export "mkdir" (func $mkdir))))))

  (func (export "seconds") (result u64) (canon lift (core func $i "seconds")))
  (func (export "instant") (result u64) (canon lift (core func $i "instant")))
  (func (export "sleep") (param "nanoseconds" u64) (result u64)
    (canon lift (core func $i "sleep")))
  (func (export "hoard") (canon lift (core func $i "hoard")))
  (func (export "draw") (result u64) (canon lift (core func $i "draw")))
  (func (export "draw-all") (result u64) (canon lift (core func $i "draw-all")))
  (func (export "draw-bytes") (param "len" u64) (result u32)
    (canon lift (core func $i "draw-bytes")))
  (func (export "environment") (result u32) (canon lift (core func $i "environment")))
  (func (export "arguments") (result u32) (canon lift (core func $i "arguments")))
  (func (export "exit") (param "code" u32) (canon lift (core func $i "exit")))
  (func (export "print") (param "text" string)
    (canon lift (core func $i "print") (memory $memory) (realloc $realloc)))
  (func (export "flood") (param "times" u32) (canon lift (core func $i "flood")))
  (func (export "directories") (result u32) (canon lift (core func $i "directories")))
  (func (export "make") (result u32) (canon lift (core func $i "make"))))
