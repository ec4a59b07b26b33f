//go:build !linux

package admin

// residentBytes is what Go's runtime has from the system.
func residentBytes() int64 { return readHeap().resident }

// systemMemory has no portable source here.
func systemMemory() int64 { return 0 }
