//go:build !linux

package testenv

import "os/exec"

// EndWithParent does nothing on this system.
func EndWithParent(cmd *exec.Cmd) *exec.Cmd { return cmd }
