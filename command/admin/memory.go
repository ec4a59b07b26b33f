package admin

// MEMORY. The store counts the bytes of keys and values by fixed costs for each (package store); it does not ask the
// allocator. So the size of a value, and what maxmemory evicts, do not depend on the garbage collector.

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// memoryCommand is MEMORY. DOCTOR and STATS hold all shards, since they add up the keys of all of them.
var memoryCommand = command.Command{Name: "memory", Arity: -2, Since: "4.0.0",
	Summary: "Commands about memory.", Sub: []command.Command{
		{Name: "doctor", Arity: 2, Keys: command.Whole, Since: "4.0.0",
			Tips:    "nondeterministic_output request_policy:all_shards response_policy:special",
			Summary: "Says whether anything is wrong with the use of memory.", Run: memoryDoctor},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "4.0.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "malloc-stats", Arity: 2, Since: "4.0.0",
			Tips:    "nondeterministic_output request_policy:all_shards response_policy:special",
			Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
			Summary: "Shows what the Go runtime tells of its memory.", Run: memoryMallocStats},
		{Name: "purge", Arity: 2, Since: "4.0.0", Tips: "request_policy:all_shards response_policy:all_succeeded",
			Changes: []command.Change{{Since: "valkey", Gains: command.Loading}},
			Summary: "Collects garbage and gives memory back to the system.", Run: memoryPurge},
		{Name: "stats", Arity: 2, Keys: command.Whole, Since: "4.0.0",
			Tips:    "nondeterministic_output request_policy:all_shards response_policy:special",
			Summary: "Shows how much memory is used for what.", Run: memoryStats},
		{Name: "usage", Usage: "key [SAMPLES count]", Arity: -3, Flags: command.ReadOnly,
			Keys: command.Keys{First: 2, Last: 2, Step: 1}, Access: "RO", Since: "4.0.0",
			Summary: "Estimates the bytes that a key takes.", Run: memoryUsage},
	}}

// memoryUsage returns the counted size of a key and its value in bytes, null for a missing key: MEMORY USAGE key
// [SAMPLES count]. The size of a value is always known, so SAMPLES is checked and then ignored. The call does not
// change the LRU or LFU data of the key.
func memoryUsage(c *command.Call) resp.Value {
	if err := checkSamples(c); err != nil {
		return c.Fail(err)
	}
	e := c.Tx.Lookup(c.Key(2), store.Inspect)
	if !e.Exists() {
		return resp.Null
	}
	return resp.Int(int64(e.Weight()))
}

// checkSamples checks the option SAMPLES, which may be repeated. A count that is not an integer has another error than
// a negative one.
func checkSamples(c *command.Call) error {
	for i := 3; i < c.Len(); i += 2 {
		if !c.Is(i, "samples") || i+1 == c.Len() {
			return command.ErrSyntax
		}
		n, err := c.Int(i + 1)
		switch {
		case err != nil:
			return err
		case n < 0:
			return command.ErrSyntax
		}
	}
	return nil
}

// memoryReport is how memory is used, in bytes. All but resident is counted by the store.
type memoryReport struct {
	used, peak, overhead, dataset int64
	keys                          int64
	resident                      int64 // of the whole process; a test that embeds the server is part of it
}

// memory returns how memory is used. The peak is the highest use that MEMORY STATS or INFO ever reported, not that
// between two of them.
func memory(c *command.Call) (m memoryReport) {
	m.used = c.Tx.Memory()
	m.peak = c.Env().Stats.Peak(m.used, c.Tx.Time().Unix())
	for db := range c.Env().Store.Databases() {
		m.keys += int64(c.Tx.Size(db))
	}
	m.overhead = store.BaseMemory + m.keys*store.KeyOverhead
	m.dataset = m.used - m.overhead
	m.resident = residentBytes()
	return m
}

// percent returns part as a percentage of whole; a whole below 1 counts as 1.
func percent(part, whole int64) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// memoryDoctor knows one problem, too many bytes for maxmemory: MEMORY DOCTOR.
func memoryDoctor(c *command.Call) resp.Value {
	text := "Nothing is wrong with the use of memory.\n"
	switch {
	case c.Env().Store.OverLimit():
		text = "The keys take more memory than maxmemory allows. Raise it, or choose a maxmemory-policy that evicts.\n"
	case c.Tx.Memory() == store.BaseMemory:
		text = "There are no keys, and nothing to find fault with.\n"
	}
	return resp.Verbatim("txt", text)
}

// memoryMallocStats returns the classes of memory of the Go runtime, a line each, in place of the report of jemalloc:
// MEMORY MALLOC-STATS.
func memoryMallocStats(*command.Call) resp.Value {
	var text strings.Builder
	for _, d := range metrics.All() {
		if d.Kind != metrics.KindUint64 || !strings.HasPrefix(d.Name, "/memory/classes/") {
			continue
		}
		sample := []metrics.Sample{{Name: d.Name}}
		metrics.Read(sample)
		fmt.Fprintf(&text, "%s %d\n", d.Name, sample[0].Value.Uint64())
	}
	return resp.Verbatim("txt", text.String())
}

// memoryPurge collects garbage and gives free memory back to the system: MEMORY PURGE. It may need some time with a
// large heap, but holds no shard.
func memoryPurge(*command.Call) resp.Value {
	debug.FreeOSMemory()
	return resp.OK
}
