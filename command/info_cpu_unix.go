//go:build unix && !solaris && !illumos && !aix

package command

import (
	"fmt"
	"syscall"
)

// infoCPU tells what the whole process has used, in seconds.
func infoCPU(r *infoReport) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return
	}
	r.line("used_cpu_sys", fmt.Sprintf("%.6f", seconds(usage.Stime)))
	r.line("used_cpu_user", fmt.Sprintf("%.6f", seconds(usage.Utime)))
}

func seconds(t syscall.Timeval) float64 { return float64(t.Nano()) / 1e9 }
