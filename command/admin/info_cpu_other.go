//go:build !unix || solaris || illumos || aix

package admin

// cpuTimes has no portable source here.
func cpuTimes() (sys, user float64) { return 0, 0 }
