package admin

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

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
		Summary: "Executes all commands in a transaction.", Run: exec},
	{Name: "multi", Arity: 1,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy |
			command.Immediate,
		Since:   "1.2.0",
		Summary: "Starts a transaction.", Run: multi},
	{Name: "unwatch", Arity: 1,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy, Since: "2.2.0",
		Summary: "Forgets about watched keys of a transaction.", Run: unwatch},
	{Name: "watch", Usage: "key [key ...]", Arity: -2,
		Flags: command.NoScript | command.Loading | command.Stale | command.Fast | command.AllowBusy |
			command.Immediate,
		Keys: command.AllKeys, Access: "RO", Since: "2.2.0",
		Summary: "Monitors changes to keys to determine the execution of a transaction.", Run: watch},
}

func multi(c *command.Call) resp.Value { return c.OKOr(c.Session.Begin()) }

func discard(c *command.Call) resp.Value { return c.OKOr(c.Session.Discard()) }

func watch(c *command.Call) resp.Value { return c.OKOr(c.Watch(c.Rest(1))) }

func unwatch(c *command.Call) resp.Value {
	c.Session.Unwatch()
	return resp.OK
}

func exec(c *command.Call) resp.Value { return c.Exec() }
