;; Asks for a TCP socket: no connection begins without one.
(component
  (import "wasi:sockets/network@0.2.0" (instance $network
    (type $e (enum "unknown" "access-denied" "not-supported" "invalid-argument" "out-of-memory"
      "timeout" "concurrency-conflict" "not-in-progress" "would-block" "invalid-state"
      "new-socket-limit" "address-not-bindable" "address-in-use" "remote-unreachable"
      "connection-refused" "connection-reset" "connection-aborted" "datagram-too-large"
      "name-unresolvable" "temporary-resolver-failure" "permanent-resolver-failure"))
    (export "error-code" (type $error-code (eq $e)))
    (type $f (enum "ipv4" "ipv6"))
    (export "ip-address-family" (type $family (eq $f)))))
  (alias export $network "error-code" (type $error-code))
  (alias export $network "ip-address-family" (type $family))
  (import "wasi:sockets/tcp@0.2.0" (instance $tcp (export "tcp-socket" (type (sub resource)))))
  (alias export $tcp "tcp-socket" (type $socket))
  (import "wasi:sockets/tcp-create-socket@0.2.0" (instance $create
    (alias outer 1 $error-code (type $outer-error))
    (export "error-code" (type $error-code (eq $outer-error)))
    (alias outer 1 $family (type $outer-family))
    (export "ip-address-family" (type $family (eq $outer-family)))
    (alias outer 1 $socket (type $outer-socket))
    (export "tcp-socket" (type $socket (eq $outer-socket)))
    (export "create-tcp-socket" (func (param "address-family" $family)
      (result (result (own $socket) (error $error-code)))))))

  (core module $memory (memory (export "memory") 1))
  (core instance $memory (instantiate $memory))
  (core func $create (canon lower (func $create "create-tcp-socket")
    (memory $memory "memory")))
  (core module $door
    (import "host" "create" (func $create (param i32 i32)))
    (func (export "connect") (call $create (i32.const 0) (i32.const 8))))
  (core instance $door (instantiate $door
    (with "host" (instance (export "create" (func $create))))))
  (func (export "connect") (canon lift (core func $door "connect"))))
