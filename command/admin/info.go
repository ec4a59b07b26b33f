package admin

// INFO is a list of sections, each a list of fields with a function for the value. All fields of Redis 7.0 are there,
// so that clients and dashboards find them; those of files, replicas and the like have the value of an idle Redis. INFO
// holds all shards: the numbers of one reply fit together.

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/tracking"
)

// infoSection is one part of INFO: fields that are always the same, or what write makes of the server's state.
type infoSection struct {
	title    string
	onDemand bool // not part of the default
	fields   []infoField
	write    func(r *infoReport)
}

// infoField is one line.
type infoField struct {
	name  string
	value func(r *infoReport) any // nil as its result leaves the line out
}

// infoSections is all of them in Redis' order. What does not exist here, such as files and replicas, has the value of a
// Redis server that makes no use of it.
var infoSections = []infoSection{
	{title: "Server", fields: infoServer},
	{title: "Clients", fields: infoClients},
	{title: "Memory", fields: infoMemory},
	{title: "Persistence", fields: infoPersistence},
	{title: "Stats", fields: infoStats},
	{title: "Replication", fields: infoReplication},
	{title: "CPU", fields: infoCPU},
	{title: "Modules"},
	{title: "Commandstats", onDemand: true, write: infoCommandStats},
	{title: "Errorstats", write: infoErrorStats},
	{title: "Latencystats", onDemand: true, write: infoLatencyStats},
	{title: "Cluster", fields: []infoField{constant("cluster_enabled", 0)}},
	{title: "Keyspace", write: infoKeyspace},
}

// constant returns a field whose value never changes, mostly of something that minilockd does not have.
func constant(name string, value any) infoField {
	return infoField{name, func(*infoReport) any { return value }}
}

// infoReport is INFO being written.
type infoReport struct {
	*command.Call
	text strings.Builder

	// What several fields are about is looked at once, when the first of them is written.
	memory   func() memoryReport
	heap     func() heapReport
	flow     func() stats.Throughput
	tracking func() tracking.Counts
}

func newInfoReport(c *command.Call) *infoReport {
	return &infoReport{Call: c, memory: sync.OnceValue(func() memoryReport { return memory(c) }),
		heap: sync.OnceValue(readHeap), flow: sync.OnceValue(c.Env().Throughput),
		tracking: sync.OnceValue(c.Env().Tracking.Counts)}
}

// line adds a field.
func (r *infoReport) line(name string, value any) { fmt.Fprintf(&r.text, "%s:%v\r\n", name, value) }

func (s *infoSection) report(r *infoReport) {
	fmt.Fprintf(&r.text, "# %s\r\n", s.title)
	for _, f := range s.fields {
		if value := f.value(r); value != nil {
			r.line(f.name, value)
		}
	}
	if s.write != nil {
		s.write(r)
	}
}

// info writes the sections asked for, each once and in their own order. A section that does not exist is empty.
func info(c *command.Call) resp.Value {
	r := newInfoReport(c)
	for i := range infoSections {
		s := &infoSections[i]
		if !s.wanted(c) {
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteString("\r\n")
		}
		s.report(r)
	}
	return resp.Verbatim("txt", r.text.String())
}

func (s *infoSection) wanted(c *command.Call) bool {
	if c.Len() == 1 {
		return !s.onDemand
	}
	return slices.ContainsFunc(c.Rest(1), func(word []byte) bool {
		switch strings.ToLower(string(word)) {
		case "default":
			return !s.onDemand
		case "all", "everything":
			return true
		}
		return command.EqualFold(word, s.title)
	})
}
