package admin

import (
	"runtime/metrics"
)

// heapReport is the memory of Go's runtime, in bytes: what is in use, that with what is free within its blocks, and
// all that it has from the system.
type heapReport struct{ allocated, active, resident int64 }

// readHeap asks the runtime. Reading its metrics stops nothing.
func readHeap() heapReport {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	bytes := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	return heapReport{allocated: bytes(0), active: bytes(0) + bytes(1), resident: bytes(2) - bytes(3)}
}
