package load

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessCPU is the user and system time that all threads of a process have used, to the nanosecond; process 0 is this
// one. /proc/PID/stat would count in units of 10 ms, too coarse for a window of 300 ms.
func ProcessCPU(pid int) (time.Duration, error) {
	// This is the kernel's encoding of the CPU clock of a process, as in clock_getcpuclockid(3): two bits select the time,
	// 2 is that counted by the scheduler, the third bit is for threads, and the higher bits are the process.
	const scheduled = 2
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if pid != 0 {
		clock = int32(^pid<<3 | scheduled)
	}
	var used unix.Timespec
	if err := unix.ClockGettime(clock, &used); err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(used.Nano()), nil
}
