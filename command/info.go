package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// infoSection is one part of INFO.
type infoSection struct {
	title    string
	onDemand bool // not part of the default
	write    func(r *infoReport)
}

// infoSections is all of them in Redis' order. What is not measured has no line rather than a made-up one.
var infoSections = []infoSection{
	{title: "Server", write: infoServer},
	{title: "Clients", write: infoClients},
	{title: "Memory", write: infoMemory},
	{title: "Persistence", write: infoPersistence},
	{title: "Stats", write: infoStats},
	{title: "Replication", write: infoReplication},
	{title: "CPU", write: infoCPU},
	{title: "Modules", write: func(*infoReport) {}},
	{title: "Commandstats", onDemand: true, write: infoCommandStats},
	{title: "Errorstats", write: infoErrorStats},
	{title: "Cluster", write: infoCluster},
	{title: "Keyspace", write: infoKeyspace},
}

// infoReport is INFO being written.
type infoReport struct {
	*Call
	text strings.Builder
}

// line adds a field.
func (r *infoReport) line(name string, value any) { fmt.Fprintf(&r.text, "%s:%v\r\n", name, value) }

// info writes the sections asked for, each once and in their own order. A section that does not exist is empty.
func info(c *Call) resp.Value {
	r := &infoReport{Call: c}
	for i := range infoSections {
		s := &infoSections[i]
		if !s.wanted(c) {
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteString("\r\n")
		}
		fmt.Fprintf(&r.text, "# %s\r\n", s.title)
		s.write(r)
	}
	return resp.Verbatim("txt", r.text.String())
}

func (s *infoSection) wanted(c *Call) bool {
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
		return equalFold(word, s.title)
	})
}
