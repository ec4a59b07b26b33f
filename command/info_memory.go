package command

import (
	"fmt"
	"runtime/metrics"
)

// infoMemory tells of the whole process: where the server runs inside a test, of the test as well. Reading the runtime's
// metrics stops nothing.
func infoMemory(r *infoReport) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	used := samples[0].Value.Uint64()
	resident := samples[1].Value.Uint64() - samples[2].Value.Uint64()
	r.line("used_memory", used)
	r.line("used_memory_human", humanBytes(used))
	r.line("used_memory_rss", resident)
	r.line("used_memory_rss_human", humanBytes(resident))
	r.line("number_of_cached_scripts", r.Env().Scripts.Len())
	libraries, functions := r.Env().Scripts.Functions.Count()
	r.line("number_of_functions", functions)
	r.line("number_of_libraries", libraries)
	r.line("maxmemory", 0)
	r.line("maxmemory_human", humanBytes(0))
	r.line("maxmemory_policy", "noeviction")
	r.line("mem_fragmentation_ratio", fmt.Sprintf("%.2f", float64(resident)/float64(max(used, 1))))
	r.line("mem_allocator", "go")
}

// humanBytes prints a size as Redis does: 512B, 1.50K, 2.00M.
func humanBytes(n uint64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%dB", n)
	}
	size, units := float64(n)/(1<<10), "KMGTP"
	for size >= 1<<10 && len(units) > 1 {
		size, units = size/(1<<10), units[1:]
	}
	return fmt.Sprintf("%.2f%c", size, units[0])
}
