package admin

// MULTI, EXEC, DISCARD, WATCH and UNWATCH. What they do is in command/transactions.go, since the core queues the
// commands between MULTI and EXEC.

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// transactionCommands run at once within MULTI (Immediate), except for UNWATCH, which is queued. EXEC holds a shard
// even without keys, so that it never runs at the same time as a command that holds all of them.
var transactionCommands = []command.Command{
	{Name: "discard", Arity: 1,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy |
			command.Immediate | command.EndsMulti,
		Since:   "2.0.0",
		Summary: "Discards a transaction.", Run: discard},
	{Name: "exec", Arity: 1,
		Flags: command.NoScript | command.Loading | command.Stale | command.SkipSlowlog | command.Immediate |
			command.RunsQueued | command.EndsMulti | command.HoldsShard,
		Since:   "1.2.0",
		Changes: []command.Change{{Since: "valkey", Gains: command.SkipCommandLog, Loses: command.SkipSlowlog}},
		Summary: "Executes all commands in a transaction.", Run: exec},
	{Name: "multi", Arity: 1,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy |
			command.Immediate,
		Since:   "1.2.0",
		Changes: []command.Change{{Since: "valkey", Gains: command.NoMulti}},
		Summary: "Starts a transaction.", Run: multi},
	{Name: "unwatch", Arity: 1,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy, Since: "2.2.0",
		Summary: "Forgets about watched keys of a transaction.", Run: unwatch},
	{Name: "watch", Usage: "key [key ...]", Arity: -2,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy |
			command.Immediate,
		Keys: command.AllKeys, Access: "RO", Since: "2.2.0",
		Changes: []command.Change{{Since: "valkey", Gains: command.NoMulti}},
		Summary: "Monitors changes to keys to determine the execution of a transaction.", Run: watch},
}

// multi starts to queue commands: MULTI. A second MULTI is an error, but does not make EXEC fail.
func multi(c *command.Call) resp.Value { return c.OKOr(c.Session.Begin()) }

// discard drops the queued commands and unwatches all keys: DISCARD. Without MULTI it is an error.
func discard(c *command.Call) resp.Value { return c.OKOr(c.Session.Discard()) }

// watch makes EXEC fail if one of the keys changes before: WATCH key [key ...]. After MULTI it is an error.
func watch(c *command.Call) resp.Value { return c.OKOr(c.Watch(c.Rest(1))) }

// unwatch unwatches all keys: UNWATCH.
func unwatch(c *command.Call) resp.Value {
	c.Session.Unwatch()
	return resp.OK
}

// exec runs the queued commands and returns an array of their replies: EXEC. It is null if a watched key has changed,
// and EXECABORT if a command was rejected when it was to be queued. Errors of the commands themselves are elements of
// the array.
func exec(c *command.Call) resp.Value { return c.Exec() }
