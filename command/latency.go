package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// latencyCommand answers as a Redis whose latency-monitor-threshold is 0: nothing is monitored.
var latencyCommand = Command{Name: "latency", Arity: -2, Since: "2.8.13", Summary: "Commands about latency, which is not monitored.", Sub: []Command{
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "2.8.13",
		Summary: "Lists the subcommands.", Run: help},
	{Name: "history", Usage: "event", Arity: 3, Flags: operating, Since: "2.8.13",
		Summary: "Shows the samples of an event: none.", Run: emptyArray},
	{Name: "latest", Arity: 2, Flags: operating, Since: "2.8.13",
		Summary: "Shows the last sample of each event: none.", Run: emptyArray},
	{Name: "reset", Usage: "[event [event ...]]", Arity: -2, Flags: operating, Since: "2.8.13",
		Summary: "Forgets the samples of events.", Run: latencyReset},
}}

func emptyArray(*Call) resp.Value { return resp.Array() }

func latencyReset(*Call) resp.Value { return resp.Zero }
