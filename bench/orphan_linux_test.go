package bench

import "syscall"

// dieWithParent lets the system end a server whose test process ended without cleaning up, as after a time-out.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
