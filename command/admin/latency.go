package admin

// LATENCY (Redis documentation: latency monitor). A call that lasts at least latency-monitor-threshold is an event,
// "command" or "fast-command"; package stats keeps the samples. Other events of Redis, such as fork or aof-write, do
// not exist here. All subcommands but HELP hold all shards, so they wait for the calls that run.

import (
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var latencyCommand = command.Command{Name: "latency", Arity: -2, Since: "2.8.13",
	Summary: "Commands about calls that took long, and how long calls take.", Sub: []command.Command{
		{Name: "doctor", Arity: 2, Flags: adminFlags, Keys: command.Whole, Since: "2.8.13",
			Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
			Summary: "Describes the events that took long in words.", Run: latencyDoctor},
		{Name: "graph", Usage: "event", Arity: 3, Flags: adminFlags, Keys: command.Whole, Since: "2.8.13",
			Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
			Summary: "Draws the samples of an event.", Run: latencyGraph},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "2.8.13",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "histogram", Usage: "[command [command ...]]", Arity: -2, Flags: adminFlags, Keys: command.Whole,
			Since:   "7.0.0",
			Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
			Summary: "Shows how often commands were called, and how long that took.", Run: latencyHistogram},
		{Name: "history", Usage: "event", Arity: 3, Flags: adminFlags, Keys: command.Whole, Since: "2.8.13",
			Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
			Summary: "Shows the samples of an event.", Run: latencyHistory},
		{Name: "latest", Arity: 2, Flags: adminFlags, Keys: command.Whole, Since: "2.8.13",
			Tips:    "nondeterministic_output request_policy:all_nodes response_policy:special",
			Summary: "Shows the last sample of each event.", Run: latencyLatest},
		{Name: "reset", Usage: "[event [event ...]]", Arity: -2, Flags: adminFlags, Keys: command.Whole,
			Since:   "2.8.13",
			Tips:    "request_policy:all_nodes response_policy:all_succeeded",
			Changes: []command.Change{{Since: "7.2", Tips: "request_policy:all_nodes response_policy:agg_sum"}},
			Summary: "Forgets the samples of events.", Run: latencyReset},
	}}

// latencyHistory returns the samples of an event, oldest first, each with the time in seconds and the longest duration
// within that second in ms: LATENCY HISTORY event. An unknown event has none.
func latencyHistory(c *command.Call) resp.Value {
	event, _ := c.Env().Stats.Latency.Get(string(c.Arg(2)))
	samples := make([]resp.Value, len(event.Samples))
	for i, s := range event.Samples {
		samples[i] = resp.Array(resp.Int(s.Second), resp.Int(s.MS))
	}
	return resp.Array(samples...)
}

// latencyLatest returns an entry for each event, sorted by name: the time of the last sample, its duration and the
// longest duration ever, in ms: LATENCY LATEST.
func latencyLatest(c *command.Call) resp.Value {
	log := &c.Env().Stats.Latency
	var latest []resp.Value
	for _, name := range log.Names() {
		if event, ok := log.Get(name); ok {
			last := event.Samples[len(event.Samples)-1]
			latest = append(latest, resp.Array(resp.BulkString(name), resp.Int(last.Second), resp.Int(last.MS),
				resp.Int(event.Longest)))
		}
	}
	return resp.Array(latest...)
}

// latencyReset removes the samples of the events, or all, and returns how many events had samples: LATENCY RESET
// [event [event ...]].
func latencyReset(c *command.Call) resp.Value {
	return resp.Int(c.Env().Stats.Latency.Reset(command.Strings(c.Rest(2))))
}

// latencyGraph draws the samples of an event, a column each, scaled between the lowest and the highest: LATENCY GRAPH
// event. An event without samples is an error. The drawing is simpler than that of Redis.
func latencyGraph(c *command.Call) resp.Value {
	name := string(c.Arg(2))
	event, ok := c.Env().Stats.Latency.Get(name)
	if !ok {
		return c.Fail(words.Errorf("ERR No samples available for event '%s'", name))
	}
	shortest := event.Longest
	for _, s := range event.Samples {
		shortest = min(shortest, s.MS)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s - high %d ms, low %d ms (all time high %d ms)\n%s\n", name, event.Highest(), shortest,
		event.Longest, strings.Repeat("-", 80))
	const rows = 4
	for row := range rows {
		for _, s := range event.Samples {
			mark := byte(' ')
			if (s.MS-shortest)*rows/(event.Highest()-shortest+1) >= int64(rows-1-row) {
				mark = '#'
			}
			text.WriteByte(mark)
		}
		text.WriteByte('\n')
	}
	return resp.Verbatim("txt", text.String())
}

// latencyDoctor describes each event in a sentence: LATENCY DOCTOR. The advice of Redis about its causes (disks, swap,
// fork) does not apply here.
func latencyDoctor(c *command.Call) resp.Value {
	log := &c.Env().Stats.Latency
	names := log.Names()
	var text strings.Builder
	switch {
	case c.Env().Config.LatencyThreshold() == 0:
		text.WriteString("Latency monitoring is off. CONFIG SET latency-monitor-threshold <milliseconds> turns it " +
			"on.\n")
	case len(names) == 0:
		text.WriteString("Nothing has taken longer than latency-monitor-threshold.\n")
	}
	for _, name := range names {
		event, _ := log.Get(name)
		sum := int64(0)
		for _, s := range event.Samples {
			sum += s.MS
		}
		fmt.Fprintf(&text, "%s: %d samples, %d ms on average, %d ms at most.\n", name, len(event.Samples),
			sum/int64(max(len(event.Samples), 1)), event.Longest)
	}
	return resp.Verbatim("txt", text.String())
}
