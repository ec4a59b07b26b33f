package testenv

import (
	"os/exec"
	"syscall"
)

// EndWithParent lets the system end a process that is to be started when this one ends, also without cleaning up, as
// after a timeout of go test.
func EndWithParent(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}
