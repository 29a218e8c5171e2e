;; Doors whose openings can be counted from outside: each makes the next of the folders 0 to 9 in the
;; first folder that it is granted, and so can be seen to have run.
(component
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
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (global.get $next)
      (global.set $next
        (i32.and (i32.add (i32.add (global.get $next) (local.get 3)) (i32.const 7))
          (i32.const -8)))))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $memory))
  (alias core export $libc "realloc" (core func $realloc))
  (core func $directories (canon lower (func $preopens "get-directories")
    (memory $memory) (realloc $realloc)))
  (core func $mkdir (canon lower (func $files "[method]descriptor.create-directory-at")
    (memory $memory)))

  (core module $code
    (import "libc" "memory" (memory 1))
    (import "wasi" "directories" (func $directories (param i32)))
    (import "wasi" "mkdir" (func $mkdir (param i32 i32 i32 i32)))
    (func $add (export "add") (result i32)
      (local $folder i32)
      (local $number i32)
      (call $directories (i32.const 16))
      (local.set $folder (i32.load (i32.load (i32.const 16))))
      (loop $again
        (i32.store8 (i32.const 32) (i32.add (i32.const 48) (local.get $number)))
        (call $mkdir (local.get $folder) (i32.const 32) (i32.const 1) (i32.const 48))
        (if (i32.eqz (i32.load8_u (i32.const 48))) (then (return (local.get $number))))
        (local.set $number (i32.add (local.get $number) (i32.const 1)))
        (br_if $again (i32.lt_u (local.get $number) (i32.const 10))))
      unreachable)
    ;; Never comes back.
    (func (export "hold") (drop (call $add)) (loop $on (br $on))))
  (core instance $code (instantiate $code
    (with "libc" (instance $libc))
    (with "wasi" (instance
      (export "directories" (func $directories))
      (export "mkdir" (func $mkdir))))))
  (func (export "add") (result u32) (canon lift (core func $code "add")))
  (func (export "hold") (canon lift (core func $code "hold"))))
