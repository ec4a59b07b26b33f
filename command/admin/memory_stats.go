package admin

// MEMORY STATS. What this server does not have or does not count is 0; the others are the figures of INFO memory.

import (
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// memoryParts are the fields before those of the databases, memoryTotals the fields behind them.
var (
	memoryParts = []infoField{
		{"peak.allocated", func(r *infoReport) any { return r.memory().peak }},
		{"total.allocated", func(r *infoReport) any { return r.memory().used }},
		constant("startup.allocated", store.BaseMemory),
		constant("replication.backlog", 0),
		only("8.0", constant("replica.fullsync.buffer", 0)),
		only("valkey-9.0", constant("replicas.repl.buffer", 0)),
		constant("clients.slaves", 0),
		{"clients.normal", func(r *infoReport) any { return r.pendingOutput() }},
		constant("cluster.links", 0),
		only("valkey-9.0", constant("cluster.slot_import", 0)),
		only("valkey-9.0", constant("cluster.slot_export", 0)),
		constant("aof.buffer", 0),
		{"lua.caches", func(r *infoReport) any { return r.Env().Scripts.SourceBytes() }},
		{"functions.caches", func(r *infoReport) any { return r.Env().Scripts.Functions.SourceBytes() }},
		only("8.0", infoField{"script.VMs", func(r *infoReport) any { return r.functionsVM() }}),
	}
	memoryTotals = []infoField{
		only("7.4 valkey-8.0", constant("overhead.db.hashtable.lut", 0)),
		only("7.4 valkey-8.0", constant("overhead.db.hashtable.rehashing", 0)),
		{"overhead.total", func(r *infoReport) any { return r.memory().overhead }},
		only("7.4 valkey-8.0", constant("db.dict.rehashing.count", 0)),
		{"keys.count", func(r *infoReport) any { return r.memory().keys }},
		{"keys.bytes-per-key", func(r *infoReport) any {
			return (r.memory().used - store.BaseMemory) / max(r.memory().keys, 1)
		}},
		{"dataset.bytes", func(r *infoReport) any { return r.memory().dataset }},
		{"dataset.percentage", func(r *infoReport) any {
			return percent(r.memory().dataset, r.memory().used-store.BaseMemory)
		}},
		{"peak.percentage", func(r *infoReport) any { return percent(r.memory().used, r.memory().peak) }},
		{"allocator.allocated", func(r *infoReport) any { return r.heap().allocated }},
		{"allocator.active", func(r *infoReport) any { return r.heap().active }},
		{"allocator.resident", func(r *infoReport) any { return r.heap().resident }},
		only("7.4 valkey-8.0", constant("allocator.muzzy", 0)),
		{"allocator-fragmentation.ratio", heapUnused.ratio},
		{"allocator-fragmentation.bytes", heapUnused.bytes},
		{"allocator-rss.ratio", heapResident.ratio},
		{"allocator-rss.bytes", heapResident.bytes},
		{"rss-overhead.ratio", outsideHeap.ratio},
		{"rss-overhead.bytes", outsideHeap.bytes},
		{"fragmentation", notCounted.ratio},
		{"fragmentation.bytes", notCounted.bytes},
	}
	databaseMemory = []infoField{
		constant("overhead.hashtable.expires", 0),
		only("=7.0 =7.2", constant("overhead.hashtable.slot-to-keys", 0)),
	}
)

// memoryStats returns how memory is used as a map: MEMORY STATS.
func memoryStats(c *command.Call) resp.Value {
	r := newInfoReport(c)
	fields := r.values(memoryParts)
	for db := range c.Env().Store.Databases() {
		if keys := c.Tx.Size(db); keys > 0 {
			overhead := []resp.Value{resp.BulkString("overhead.hashtable.main"), resp.Int(int64(keys) * store.KeyOverhead)}
			fields = append(fields, resp.BulkString("db."+strconv.Itoa(db)),
				resp.Map(append(overhead, r.values(databaseMemory)...)...))
		}
	}
	return resp.Map(append(fields, r.values(memoryTotals)...)...)
}

// values returns the names and values of fields, which are integers or float64, or nil if the server has no such field.
func (r *infoReport) values(fields []infoField) (out []resp.Value) {
	for _, f := range fields {
		switch v := f.value(r).(type) {
		case int:
			out = append(out, resp.BulkString(f.name), resp.Int(int64(v)))
		case int64:
			out = append(out, resp.BulkString(f.name), resp.Int(v))
		case float64:
			out = append(out, resp.BulkString(f.name), r.Double(v))
		}
	}
	return out
}
