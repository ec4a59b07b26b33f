package admin

// COMMANDLOG of Valkey: SLOWLOG, and in the same form the calls with large requests and with large replies.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
)

// commandLogCommand is COMMANDLOG. For its shards see slowlogCommand.
var commandLogCommand = command.Command{Name: "commandlog", Arity: -2, Since: "valkey-8.1.0",
	Summary: "Commands about calls that took long, or were large.", Sub: []command.Command{
		{Name: "get", Usage: "count <SLOW | LARGE-REQUEST | LARGE-REPLY>", Arity: 4,
			Flags: command.Admin | command.Loading | command.Stale, Keys: command.Whole, Since: "valkey-8.1.0",
			Tips:    "request_policy:all_nodes nondeterministic_output",
			Summary: "Shows the latest calls of one kind.", Run: commandLogGet},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "valkey-8.1.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "len", Usage: "<SLOW | LARGE-REQUEST | LARGE-REPLY>", Arity: 3,
			Flags: command.Admin | command.Loading | command.Stale, Keys: command.Whole, Since: "valkey-8.1.0",
			Tips:    "request_policy:all_nodes response_policy:agg_sum nondeterministic_output",
			Summary: "Counts the calls of one kind that are kept.", Run: commandLogLen},
		{Name: "reset", Usage: "<SLOW | LARGE-REQUEST | LARGE-REPLY>", Arity: 3,
			Flags: command.Admin | command.Loading | command.Stale, Keys: command.Whole, Since: "valkey-8.1.0",
			Tips:    "request_policy:all_nodes response_policy:all_succeeded",
			Summary: "Forgets the calls of one kind.", Run: commandLogReset},
	}}

var errCommandLogType = errors.New("ERR type should be one of the following: slow, large-request, large-reply")

// callLog returns the log that argument i names.
func callLog(c *command.Call, i int) (*stats.SlowLog, error) {
	switch {
	case c.Is(i, "slow"):
		return &c.Env().Stats.Slow, nil
	case c.Is(i, "large-request"):
		return &c.Env().Stats.Large[stats.LargeRequest], nil
	case c.Is(i, "large-reply"):
		return &c.Env().Stats.Large[stats.LargeReply], nil
	}
	return nil, errCommandLogType
}

// trimLogs drops what is too much in the logs of calls, as each call does with those that are on.
func trimLogs(c *command.Call) {
	cfg := c.Env().Config
	if length := cfg.SlowLogLen(); cfg.SlowerThan() >= 0 && (length > 0 || !c.Does(emulate.EmptyLogKept)) {
		c.Env().Stats.Slow.Trim(command.ToInt(length))
	}
	for kind := range stats.LargeKinds {
		if limit := cfg.LargeCalls(kind); limit.Bytes >= 0 && limit.Length > 0 {
			c.Env().Stats.Large[kind].Trim(command.ToInt(limit.Length))
		}
	}
}

// commandLogGet returns the latest entries, the latest first: COMMANDLOG GET count type. A count of -1 is all of them.
func commandLogGet(c *command.Call) resp.Value {
	n, err := c.Index(2)
	if err != nil || n < -1 {
		return c.Fail(errSlowlogCount)
	}
	log, err := callLog(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	return latestCalls(log, n)
}

// commandLogLen returns the number of entries: COMMANDLOG LEN type.
func commandLogLen(c *command.Call) resp.Value {
	log, err := callLog(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(log.Len()))
}

// commandLogReset removes all entries: COMMANDLOG RESET type. IDs go on from where they were.
func commandLogReset(c *command.Call) resp.Value {
	log, err := callLog(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	log.Reset()
	return resp.OK
}
