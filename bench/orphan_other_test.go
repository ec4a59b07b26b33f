//go:build !linux

package bench

import "syscall"

// dieWithParent is what only Linux offers.
func dieWithParent() *syscall.SysProcAttr { return nil }
