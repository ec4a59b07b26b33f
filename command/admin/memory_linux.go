package admin

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// residentBytes returns the resident memory of the process, from proc(5). If /proc can't be read it is that of the Go
// runtime.
func residentBytes() int64 {
	const residentPages = 1 // the field of proc(5)
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) <= residentPages {
		return readHeap().resident
	}
	pages, _ := strconv.ParseInt(string(fields[residentPages]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// systemMemory returns the memory of the machine in bytes, 0 if it is not known.
func systemMemory() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
