package admin

import (
	"runtime/metrics"
)

// heapReport is the memory of the Go runtime in bytes. allocated is the memory of objects, active also the free parts
// of their spans, and resident all that the runtime has from the system and has not given back.
type heapReport struct{ allocated, active, resident int64 }

// readHeap reads the metrics of the runtime. Unlike runtime.ReadMemStats this does not stop the other goroutines.
func readHeap() heapReport {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	bytes := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	return heapReport{allocated: bytes(0), active: bytes(0) + bytes(1), resident: bytes(2) - bytes(3)}
}
