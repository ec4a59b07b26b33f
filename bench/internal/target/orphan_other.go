//go:build !linux

package target

import "syscall"

// dieWithParent is what only Linux offers.
func dieWithParent() *syscall.SysProcAttr { return nil }
