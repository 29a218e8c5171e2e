;; class: a list of 60 MB given to a function of the host
;; expect: limit: the door returned more than 4194304 bytes.
(component
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
  (core module $libc (memory (export "memory") 1000))
  (core instance $libc (instantiate $libc))
  (core func $get (canon lower (func $stdout "get-stdout")))
  (core func $write (canon lower (func $streams "[method]output-stream.blocking-write-and-flush")
    (memory $libc "memory")))
  (core module $m
    (import "wasi" "get" (func $get (result i32)))
    (import "wasi" "write" (func $write (param i32 i32 i32 i32)))
    (func (export "go")
      (local $out i32)
      (local.set $out (call $get))
      (call $write (local.get $out) (i32.const 64) (i32.const 60000000) (i32.const 8))))
  (core instance $i (instantiate $m (with "wasi" (instance
    (export "get" (func $get))
    (export "write" (func $write))))))
  (func (export "go") (canon lift (core func $i "go"))))
