package command

import (
	"fmt"

	"github.com/minilockd/minilockd/store"
)

func infoMemory(r *infoReport) {
	m := r.memory()
	sized := func(name string, bytes int64) {
		r.line(name, bytes)
		r.line(name+"_human", humanBytes(uint64(bytes)))
	}
	sized("used_memory", m.used)
	sized("used_memory_rss", m.resident)
	sized("used_memory_peak", m.peak)
	r.line("used_memory_peak_perc", fmt.Sprintf("%.2f%%", percent(m.used, m.peak)))
	r.line("used_memory_overhead", m.overhead)
	r.line("used_memory_startup", store.BaseMemory)
	r.line("used_memory_dataset", m.dataset)
	r.line("used_memory_dataset_perc", fmt.Sprintf("%.2f%%", percent(m.dataset, m.used-store.BaseMemory)))
	r.line("number_of_cached_scripts", r.Env().Scripts.Len())
	libraries, functions := r.Env().Scripts.Functions.Count()
	r.line("number_of_functions", functions)
	r.line("number_of_libraries", libraries)
	limits := r.Env().Store.Limits()
	sized("maxmemory", limits.Memory)
	r.line("maxmemory_policy", limits.Policy)
	r.line("mem_fragmentation_ratio", fmt.Sprintf("%.2f", float64(m.resident)/float64(m.used)))
	r.line("mem_not_counted_for_evict", 0)
	r.line("mem_allocator", "go")
	r.line("lazyfree_pending_objects", 0)
	r.line("lazyfreed_objects", r.Env().Stats.lazyFreed.Load())
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
