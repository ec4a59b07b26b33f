//go:build !linux

package admin

// residentBytes returns the memory that the Go runtime has from the system.
func residentBytes() int64 { return readHeap().resident }

// systemMemory returns 0: there is no portable way to find it.
func systemMemory() int64 { return 0 }
