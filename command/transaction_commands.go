package command

import "github.com/minilockd/minilockd/internal/resp"

var transactionCommands = []Command{
	{Name: "discard", Arity: 1, Flags: NoScript | Loading | Stale | Fast | AllowBusy | Immediate | EndsMulti,
		Since:   "2.0.0",
		Summary: "Discards a transaction.", Run: discard},
	{Name: "exec", Arity: 1,
		Flags: NoScript | Loading | Stale | SkipSlowlog | Immediate | RunsQueued | EndsMulti | HoldsShard, Since: "1.2.0",
		Summary: "Executes all commands in a transaction.", Run: exec},
	{Name: "multi", Arity: 1, Flags: NoScript | Loading | Stale | Fast | AllowBusy | Immediate, Since: "1.2.0",
		Summary: "Starts a transaction.", Run: multi},
	{Name: "unwatch", Arity: 1, Flags: NoScript | Loading | Stale | Fast | AllowBusy, Since: "2.2.0",
		Summary: "Forgets about watched keys of a transaction.", Run: unwatch},
	{Name: "watch", Usage: "key [key ...]", Arity: -2, Flags: NoScript | Loading | Stale | Fast | AllowBusy | Immediate, Keys: AllKeys,
		Access: "RO", Since: "2.2.0", Summary: "Monitors changes to keys to determine the execution of a transaction.",
		Run: watch},
}

func multi(c *Call) resp.Value { return c.OKOr(c.Session.Begin()) }

func discard(c *Call) resp.Value { return c.OKOr(c.Session.Discard()) }

func watch(c *Call) resp.Value { return c.OKOr(c.Watch(c.Rest(1))) }

func unwatch(c *Call) resp.Value {
	c.Session.Unwatch()
	return resp.OK
}

func exec(c *Call) resp.Value { return c.Exec() }
