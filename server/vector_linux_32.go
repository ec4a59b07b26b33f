//go:build linux && (386 || arm || mips || mipsle || ppc)

package server

import "syscall"

func setVectorLen(m *syscall.Msghdr, n int) { m.Iovlen = uint32(n) }
