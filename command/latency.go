package command

import (
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var latencyCommand = Command{Name: "latency", Arity: -2, Since: "2.8.13", Summary: "Commands about calls that took long, and how long calls take.", Sub: []Command{
	{Name: "doctor", Arity: 2, Flags: operating, Keys: Whole, Since: "2.8.13",
		Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
		Summary: "Describes the events that took long in words.", Run: latencyDoctor},
	{Name: "graph", Usage: "event", Arity: 3, Flags: operating, Keys: Whole, Since: "2.8.13",
		Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
		Summary: "Draws the samples of an event.", Run: latencyGraph},
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "2.8.13",
		Summary: "Lists the subcommands.", Run: help},
	{Name: "histogram", Usage: "[command [command ...]]", Arity: -2, Flags: operating, Keys: Whole, Since: "7.0.0",
		Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
		Summary: "Shows how often commands were called, and how long that took.", Run: latencyHistogram},
	{Name: "history", Usage: "event", Arity: 3, Flags: operating, Keys: Whole, Since: "2.8.13",
		Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
		Summary: "Shows the samples of an event.", Run: latencyHistory},
	{Name: "latest", Arity: 2, Flags: operating, Keys: Whole, Since: "2.8.13",
		Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
		Summary: "Shows the last sample of each event.", Run: latencyLatest},
	{Name: "reset", Usage: "[event [event ...]]", Arity: -2, Flags: operating, Keys: Whole, Since: "2.8.13",
		Tips:    "request_policy:all_nodes response_policy:all_succeeded",
		Summary: "Forgets the samples of events.", Run: latencyReset},
}}

func latencyHistory(c *Call) resp.Value {
	event, _ := c.Env().Stats.latency.of(string(c.Arg(2)))
	samples := make([]resp.Value, len(event.samples))
	for i, s := range event.samples {
		samples[i] = resp.Array(resp.Int(s.second), resp.Int(s.ms))
	}
	return resp.Array(samples...)
}

func latencyLatest(c *Call) resp.Value {
	log := &c.Env().Stats.latency
	var latest []resp.Value
	for _, name := range log.names() {
		if event, ok := log.of(name); ok {
			last := event.samples[len(event.samples)-1]
			latest = append(latest, resp.Array(resp.BulkString(name), resp.Int(last.second), resp.Int(last.ms), resp.Int(event.longest)))
		}
	}
	return resp.Array(latest...)
}

func latencyReset(c *Call) resp.Value {
	return resp.Int(c.Env().Stats.latency.reset(stringsOf(c.Rest(2))))
}

// latencyGraph has a column for each sample: the taller, the longer it took.
func latencyGraph(c *Call) resp.Value {
	name := string(c.Arg(2))
	event, ok := c.Env().Stats.latency.of(name)
	if !ok {
		return c.Fail(words.Errorf("ERR No samples available for event '%s'", name))
	}
	shortest := event.longest
	for _, s := range event.samples {
		shortest = min(shortest, s.ms)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s - high %d ms, low %d ms (all time high %d ms)\n%s\n", name, event.highest(), shortest, event.longest, strings.Repeat("-", 80))
	const rows = 4
	for row := range rows {
		for _, s := range event.samples {
			mark := byte(' ')
			if (s.ms-shortest)*rows/(event.highest()-shortest+1) >= int64(rows-1-row) {
				mark = '#'
			}
			text.WriteByte(mark)
		}
		text.WriteByte('\n')
	}
	return resp.Verbatim("txt", text.String())
}

// highest is the longest time among the samples that are kept.
func (e *latencyEvent) highest() (ms int64) {
	for _, s := range e.samples {
		ms = max(ms, s.ms)
	}
	return ms
}

// latencyDoctor says in a few words what the samples say in numbers.
func latencyDoctor(c *Call) resp.Value {
	log := &c.Env().Stats.latency
	names := log.names()
	var text strings.Builder
	switch {
	case c.Env().Config.LatencyThreshold() == 0:
		text.WriteString("Latency monitoring is off. CONFIG SET latency-monitor-threshold <milliseconds> turns it on.\n")
	case len(names) == 0:
		text.WriteString("Nothing has taken longer than latency-monitor-threshold.\n")
	}
	for _, name := range names {
		event, _ := log.of(name)
		sum := int64(0)
		for _, s := range event.samples {
			sum += s.ms
		}
		fmt.Fprintf(&text, "%s: %d samples, %d ms on average, %d ms at most.\n", name, len(event.samples), sum/int64(max(len(event.samples), 1)), event.longest)
	}
	return resp.Verbatim("txt", text.String())
}
