//go:build linux && (386 || s390x)

package server

import "syscall"

// receive and sendTo are for sockets. On these systems recv and send are not system calls.
func receive(fd int, b []byte) (int, error) { return rawIO(syscall.SYS_READ, fd, b, 0) }

func sendTo(fd int, b []byte) (int, error) { return rawIO(syscall.SYS_WRITE, fd, b, 0) }
