package admin

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
)

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

func slowCallFields(e *stats.SlowCall) resp.Value {
	return resp.Array(resp.Int(e.ID), resp.Int(e.At.Unix()), resp.Int(e.Duration.Microseconds()), resp.Strings(e.Args),
		resp.BulkString(e.Client), resp.BulkString(e.Name))
}

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
	latest := c.Env().Stats.Slow.Latest(n)
	entries := make([]resp.Value, len(latest))
	for i := range latest {
		entries[i] = slowCallFields(&latest[i])
	}
	return resp.Array(entries...)
}

func slowlogLen(c *command.Call) resp.Value { return resp.Int(int64(c.Env().Stats.Slow.Len())) }

func slowlogReset(c *command.Call) resp.Value {
	c.Env().Stats.Slow.Reset()
	return resp.OK
}
