package admin

// SLOWLOG. Calls enter the slow log in command/timing.go, when they end; stats.SlowLog has the entries. Its length is
// slowlog-max-len, which takes effect with the next entry.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
)

// slowlogCommand is SLOWLOG. Its subcommands hold all shards, so that calls which run on other cores have entered
// their durations.
var slowlogCommand = command.Command{Name: "slowlog", Arity: -2, Since: "2.2.12",
	Summary: "Commands about calls that took long.", Sub: []command.Command{
		{Name: "get", Usage: "[count]", Arity: -2, Flags: command.Admin | command.Loading | command.Stale,
			Keys: command.Whole, Since: "2.2.12", Tips: "request_policy:all_nodes nondeterministic_output",
			Summary: "Shows the latest slow calls.", Run: slowlogGet},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "6.2.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "len", Arity: 2, Flags: command.Admin | command.Loading | command.Stale, Keys: command.Whole,
			Since:   "2.2.12",
			Tips:    "request_policy:all_nodes response_policy:agg_sum nondeterministic_output",
			Summary: "Counts the slow calls that are kept.", Run: slowlogLen},
		{Name: "reset", Arity: 2, Flags: command.Admin | command.Loading | command.Stale, Keys: command.Whole,
			Since:   "2.2.12",
			Tips:    "request_policy:all_nodes response_policy:all_succeeded",
			Summary: "Forgets the slow calls.", Run: slowlogReset},
	}}

var errSlowlogCount = errors.New("ERR count should be greater than or equal to -1")

// slowCallFields returns the reply for an entry: ID, time in seconds, duration in µs or size in bytes, arguments,
// address and name of the client.
func slowCallFields(e *stats.SlowCall) resp.Value {
	value := e.Duration.Microseconds()
	if e.Bytes > 0 {
		value = e.Bytes
	}
	return resp.Array(resp.Int(e.ID), resp.Int(e.At.Unix()), resp.Int(value), resp.Strings(e.Args),
		resp.BulkString(e.Client), resp.BulkString(e.Name))
}

// slowlogGet returns the latest entries, 10 by default, the latest first: SLOWLOG GET [count]. -1 is all of them.
func slowlogGet(c *command.Call) resp.Value {
	n := 10
	if c.Len() > 3 {
		return c.Fail(command.ErrSubcommandArity(c))
	}
	if c.Len() == 3 {
		var err error
		if n, err = c.Index(2); err != nil || n < -1 {
			return c.Fail(errSlowlogCount)
		}
	}
	return latestCalls(&c.Env().Stats.Slow, n)
}

// latestCalls returns the last n entries of a log, all for -1.
func latestCalls(log *stats.SlowLog, n int) resp.Value {
	latest := log.Latest(n)
	entries := make([]resp.Value, len(latest))
	for i := range latest {
		entries[i] = slowCallFields(&latest[i])
	}
	return resp.Array(entries...)
}

// slowlogLen returns the number of entries: SLOWLOG LEN.
func slowlogLen(c *command.Call) resp.Value { return resp.Int(int64(c.Env().Stats.Slow.Len())) }

// slowlogReset removes all entries: SLOWLOG RESET. IDs go on from where they were.
func slowlogReset(c *command.Call) resp.Value {
	c.Env().Stats.Slow.Reset()
	return resp.OK
}
