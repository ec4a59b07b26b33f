package load

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessCPU is the user and system time that all threads of a process have used, to the nanosecond; process 0 is this
// one.
func ProcessCPU(pid int) (time.Duration, error) {
	// The kernel encodes the CPU clock of a process so, and clock_getcpuclockid(3) does nothing else: two bits tell which
	// time is meant, 2 being what the scheduler has counted, a third one is for threads, the process is above them.
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
