package load

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of the times in /proc: USER_HZ is 100 on every architecture that Go runs on.
const tick = 10 * time.Millisecond

// Of the fields of proc_pid_stat(5), counted from 0 behind the command's name, the 14th and 15th: utime and stime.
const utimeField, stimeField = 11, 12

// processCPU is the user and system time that all threads of a process have used, to 10 ms; process 0 uses none.
func processCPU(pid int) (time.Duration, error) {
	if pid == 0 {
		return 0, nil
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	return parseStat(stat)
}

func parseStat(stat []byte) (time.Duration, error) {
	// The command's name may hold anything, a ')' too, so the last one ends it.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= stimeField {
		return 0, fmt.Errorf("unexpected process state %q", stat)
	}
	user, err := strconv.ParseInt(string(fields[utimeField]), 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(string(fields[stimeField]), 10, 64)
	return time.Duration(user+system) * tick, err
}

// ownCPU is the user and system time of this process.
func ownCPU() (time.Duration, error) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
