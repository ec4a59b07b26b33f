package admin

// INFO is a list of sections, each a list of fields with a function for the value. All fields of Redis are there, so
// that clients and dashboards find them; those of files, replicas and the like have the value of an idle Redis. INFO
// holds all shards: the numbers of one reply fit together.
//
// A field belongs to the section in which Redis has it, in the same order. Fields that only this server has, such as
// minilockd_version, are next to similar ones.

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/tracking"
)

// infoSection is one part of INFO: fields that are always the same, or what write makes of the state of the server. A
// section has either fields or write, or neither: then it is only a title.
type infoSection struct {
	title    string
	since    string // which servers have it (emulate.Server.Has)
	onDemand bool   // only if it is named, or with "all" or "everything"
	fields   []infoField
	write    func(r *infoReport)
}

// infoField is one line, "name:value". As in Redis lines end in CR LF.
type infoField struct {
	name  string
	value func(r *infoReport) any // nil as its result leaves the line out
}

// infoSections are all sections in the order of Redis.
var infoSections = []infoSection{
	{title: "Server", fields: infoServer},
	{title: "TLS", since: "valkey-9.1", onDemand: true, fields: infoTLS},
	{title: "Clients", fields: infoClients},
	{title: "Memory", fields: infoMemory},
	{title: "Persistence", fields: infoPersistence},
	{title: "Threads", since: "8.0", fields: infoThreads},
	{title: "Stats", fields: infoStats},
	{title: "Replication", fields: infoReplication},
	{title: "CPU", fields: infoCPU},
	{title: "Modules", fields: infoModules},
	{title: "Commandstats", onDemand: true, write: infoCommandStats},
	{title: "Errorstats", write: infoErrorStats},
	{title: "Latencystats", onDemand: true, write: infoLatencyStats},
	{title: "Cluster", fields: infoCluster},
	{title: "Cluster Info", since: "valkey-9.1", onDemand: true},
	{title: "Scripting Engines", since: "valkey-9.1", onDemand: true, fields: infoEngines},
	{title: "Keyspace", write: infoKeyspace},
	{title: "Keysizes", since: "8.0", write: infoKeySizes},
	{title: "Sentinel", write: func(r *infoReport) { r.text.WriteString(r.Env().Sentinel.Info()) }},
}

// infoCluster says whether the server is a node.
var infoCluster = []infoField{
	{"cluster_enabled", func(r *infoReport) any { return zeroOne(r.Env().Cluster != nil) }},
}

// constant returns a field whose value never changes, mostly of something that minilockd does not have.
func constant(name string, value any) infoField {
	return infoField{name, func(*infoReport) any { return value }}
}

// only returns a field that only some servers have (emulate.Server.Has).
func only(since string, f infoField) infoField {
	return infoField{f.name, func(r *infoReport) any {
		if !r.server().Has(since) {
			return nil
		}
		return f.value(r)
	}}
}

// infoReport is the text of one INFO while it is written.
type infoReport struct {
	*command.Call
	text strings.Builder

	// Values that several fields share are read once, when the first of these fields is written.
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

// server returns the server that this one stands for.
func (r *infoReport) server() *emulate.Server { return r.Env().Table.Server }

// line adds a field.
func (r *infoReport) line(name string, value any) { fmt.Fprintf(&r.text, "%s:%v\r\n", name, value) }

// report writes the title and the fields of a section.
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

// info describes the server: INFO [section [section ...]]. The sections named are written once each, in their own
// order; an unknown name is no error. Without names, or with "default", they are all but those on demand.
func info(c *command.Call) resp.Value {
	r := newInfoReport(c)
	for i := range infoSections {
		s := &infoSections[i]
		if !r.server().Has(s.since) || !s.exists(c) || !s.wanted(c) {
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteString("\r\n")
		}
		s.report(r)
	}
	return resp.Verbatim("txt", r.text.String())
}

// ofSentinels are the sections of a sentinel.
var ofSentinels = []string{"Server", "Clients", "Stats", "CPU", "Sentinel"}

// exists reports whether a server has the section: a sentinel has few.
func (s *infoSection) exists(c *command.Call) bool {
	if c.Env().Sentinel == nil {
		return s.title != "Sentinel"
	}
	return slices.Contains(ofSentinels, s.title)
}

// wanted reports whether the arguments of INFO name the section, in any letter case.
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
