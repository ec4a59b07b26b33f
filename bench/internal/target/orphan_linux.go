package target

import "syscall"

// dieWithParent lets the system end a server whose parent ended without cleaning up, as after a time-out.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
