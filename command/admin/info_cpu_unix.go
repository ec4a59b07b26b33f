//go:build unix && !solaris && !illumos && !aix

package admin

import (
	"syscall"
)

// cpuTimes returns the CPU time of the whole process in seconds, in the kernel and in user code.
func cpuTimes() (sys, user float64) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, 0
	}
	return timevalSeconds(usage.Stime), timevalSeconds(usage.Utime)
}

func timevalSeconds(t syscall.Timeval) float64 { return float64(t.Nano()) / 1e9 }
