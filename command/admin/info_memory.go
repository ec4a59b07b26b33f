package admin

// The section Memory. used_memory is what the store counts (package store), so that it does not depend on the garbage
// collector; used_memory_rss is what the system has given to the process, and the allocator_* fields are the heap of
// Go. The ratios between these are calculated as in Redis, but say little here.

import (
	"fmt"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/store"
)

var infoMemory = slices.Concat(
	sizes("used_memory", func(r *infoReport) int64 { return r.memory().used }),
	sizes("used_memory_rss", func(r *infoReport) int64 { return r.memory().resident }),
	sizes("used_memory_peak", func(r *infoReport) int64 { return r.memory().peak }),
	[]infoField{
		only("8.2", infoField{"used_memory_peak_time", func(r *infoReport) any {
			r.memory()
			return r.Env().Stats.PeakAt()
		}}),
		{"used_memory_peak_perc", func(r *infoReport) any { return percentage(r.memory().used, r.memory().peak) }},
		{"used_memory_overhead", func(r *infoReport) any { return r.memory().overhead }},
		constant("used_memory_startup", store.BaseMemory),
		{"used_memory_dataset", func(r *infoReport) any { return r.memory().dataset }},
		{"used_memory_dataset_perc", func(r *infoReport) any {
			return percentage(r.memory().dataset,
				r.memory().used-store.BaseMemory)
		}},
		{"allocator_allocated", func(r *infoReport) any { return r.heap().allocated }},
		{"allocator_active", func(r *infoReport) any { return r.heap().active }},
		{"allocator_resident", func(r *infoReport) any { return r.heap().resident }},
		only("7.4 valkey-8.0", constant("allocator_muzzy", 0)),
	},
	sizes("total_system_memory", func(*infoReport) int64 { return systemMemory() }),
	[]infoField{
		constant("used_memory_lua", 0),
		constant("used_memory_vm_eval", 0),
		constant("used_memory_lua_human", "0B"),
		{"used_memory_scripts_eval", func(r *infoReport) any { return r.Env().Scripts.SourceBytes() }},
		{"number_of_cached_scripts", func(r *infoReport) any { return r.Env().Scripts.Len() }},
		{"number_of_functions", func(r *infoReport) any { _, n := r.Env().Scripts.Functions.Count(); return n }},
		{"number_of_libraries", func(r *infoReport) any { n, _ := r.Env().Scripts.Functions.Count(); return n }},
		{"used_memory_vm_functions", func(r *infoReport) any { return r.functionsVM() }},
	},
	sizes("used_memory_vm_total", (*infoReport).functionsVM),
	[]infoField{
		{"used_memory_functions", func(r *infoReport) any { return r.Env().Scripts.Functions.SourceBytes() }},
	},
	sizes("used_memory_scripts", func(r *infoReport) int64 {
		return r.Env().Scripts.SourceBytes() + r.Env().Scripts.Functions.SourceBytes()
	}),
	sizes("maxmemory", func(r *infoReport) int64 { return r.Env().Store.Limits().Memory }),
	[]infoField{
		{"maxmemory_policy", func(r *infoReport) any { return r.Env().Store.Limits().Policy }},
		{"allocator_frag_ratio", heapUnused.ratioText},
		{"allocator_frag_bytes", heapUnused.bytes},
		{"allocator_rss_ratio", heapResident.ratioText},
		{"allocator_rss_bytes", heapResident.bytes},
		{"rss_overhead_ratio", outsideHeap.ratioText},
		{"rss_overhead_bytes", outsideHeap.bytes},
		{"mem_fragmentation_ratio", notCounted.ratioText},
		{"mem_fragmentation_bytes", notCounted.bytes},
		constant("mem_not_counted_for_evict", 0),
		constant("mem_replication_backlog", 0),
		constant("mem_total_replication_buffers", 0),
		only("8.0", constant("mem_replica_full_sync_buffer", 0)),
		only("valkey-9.0", constant("mem_replicas_repl_buffer", 0)),
		constant("mem_clients_slaves", 0),
		{"mem_clients_normal", func(r *infoReport) any { return r.pendingOutput() }},
		constant("mem_cluster_links", 0),
		only("8.4", constant("mem_cluster_slot_migration_output_buffer", 0)),
		only("8.4", constant("mem_cluster_slot_migration_input_buffer", 0)),
		only("8.4", constant("mem_cluster_slot_migration_input_buffer_peak", 0)),
		only("valkey-9.0", constant("mem_cluster_slot_import", 0)),
		only("valkey-9.0", constant("mem_cluster_slot_export", 0)),
		constant("mem_aof_buffer", 0),
		constant("mem_allocator", "go"),
		only("7.4 valkey-8.0", constant("mem_overhead_db_hashtable_rehashing", 0)),
		constant("active_defrag_running", 0),
		constant("lazyfree_pending_objects", 0),
		{"lazyfreed_objects", func(r *infoReport) any { return r.Env().Stats.LazyFreed.Load() }},
	},
)

// sizes returns two fields: a number of bytes, and the same for people, with the suffix _human.
func sizes(name string, bytes func(r *infoReport) int64) []infoField {
	return []infoField{
		{name, func(r *infoReport) any { return bytes(r) }},
		{name + "_human", func(r *infoReport) any { return humanBytes(uint64(bytes(r))) }},
	}
}

// functionsVM estimates the memory of Lua for functions, in bytes: Go does not know what it takes of its heap.
func (r *infoReport) functionsVM() int64 {
	const empty, eachByteOfSource = 32 << 10, 2
	return empty + eachByteOfSource*r.Env().Scripts.Functions.SourceBytes()
}

// pendingOutput returns the number of bytes that all clients have not been sent yet.
func (r *infoReport) pendingOutput() (bytes int64) {
	r.Env().Clients.Each(func(s *command.Session) { bytes += int64(s.Pending()) })
	return bytes
}

// percentage prints part as a percentage of whole.
func percentage(part, whole int64) string { return fmt.Sprintf("%.2f%%", percent(part, whole)) }

// humanBytes prints a size as Redis does: 512B, 1.50K, 2.00M. The units are powers of 1,024.
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
