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
		constant("replication.backlog", int64(0)),
		only("8.0", constant("replica.fullsync.buffer", int64(0))),
		only("valkey-9.0", constant("replicas.repl.buffer", int64(0))),
		constant("clients.slaves", int64(0)),
		{"clients.normal", func(r *infoReport) any { return r.pendingOutput() }},
		constant("cluster.links", int64(0)),
		only("valkey-9.0", constant("cluster.slot_import", int64(0))),
		only("valkey-9.0", constant("cluster.slot_export", int64(0))),
		constant("aof.buffer", int64(0)),
		{"lua.caches", func(r *infoReport) any { return r.Env().Scripts.SourceBytes() }},
		{"functions.caches", func(r *infoReport) any { return r.Env().Scripts.Functions.SourceBytes() }},
		only("8.0", infoField{"script.VMs", func(r *infoReport) any { return r.functionsVM() }}),
	}
	memoryTotals = []infoField{
		only("7.4 valkey-8.0", constant("overhead.db.hashtable.lut", int64(0))),
		only("7.4 valkey-8.0", constant("overhead.db.hashtable.rehashing", int64(0))),
		{"overhead.total", func(r *infoReport) any { return r.memory().overhead }},
		only("7.4 valkey-8.0", constant("db.dict.rehashing.count", int64(0))),
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
		only("7.4 valkey-8.0", constant("allocator.muzzy", int64(0))),
		{"allocator-fragmentation.ratio", func(r *infoReport) any { return share(r.heap().active, r.heap().allocated) }},
		{"allocator-fragmentation.bytes", func(r *infoReport) any { return r.heap().active - r.heap().allocated }},
		{"allocator-rss.ratio", func(r *infoReport) any { return share(r.heap().resident, r.heap().active) }},
		{"allocator-rss.bytes", func(r *infoReport) any { return r.heap().resident - r.heap().active }},
		{"rss-overhead.ratio", func(r *infoReport) any { return share(r.memory().resident, r.heap().resident) }},
		{"rss-overhead.bytes", func(r *infoReport) any { return r.memory().resident - r.heap().resident }},
		{"fragmentation", func(r *infoReport) any { return share(r.memory().resident, r.memory().used) }},
		{"fragmentation.bytes", func(r *infoReport) any { return r.memory().resident - r.memory().used }},
	}
	databaseMemory = []infoField{
		constant("overhead.hashtable.expires", int64(0)),
		only("=7.0 =7.2", constant("overhead.hashtable.slot-to-keys", int64(0))),
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

// values returns the names and values of fields, which are of type int64 or float64, or nil if the server has no such
// field.
func (r *infoReport) values(fields []infoField) (out []resp.Value) {
	for _, f := range fields {
		switch v := f.value(r).(type) {
		case int64:
			out = append(out, resp.BulkString(f.name), resp.Int(v))
		case float64:
			out = append(out, resp.BulkString(f.name), r.Double(v))
		}
	}
	return out
}
