//go:build !unix || solaris || illumos || aix

package admin

// cpuTimes returns zeros: package syscall has no getrusage for this system.
func cpuTimes() (sys, user float64) { return 0, 0 }
