package control

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

var restartCommands = []command.Command{
	{Name: "fault.restart", Usage: "[KEEP | LOSE]", Arity: -1, Flags: changes, Since: since,
		Summary: "Does what a restart of the server does to its clients and its data.", Run: faultRestart},
}

// AfterRestart is what a restarted server has of its keys and functions. It runs when no client but the caller of
// FAULT.RESTART is connected.
type AfterRestart func(*command.Env)

// afterRestarts are the forms of FAULT.RESTART by their names.
var afterRestarts = map[string]AfterRestart{"KEEP": KeepData, "LOSE": LoseData}

// KeepData is an AfterRestart that keeps all, as if the server had saved it before it ended.
func KeepData(*command.Env) {}

// LoseData is an AfterRestart that loses all keys and functions.
func LoseData(env *command.Env) {
	tx := env.Store.NewTx()
	tx.Do(store.All, false, func() {
		for db := range env.Store.Databases() {
			tx.Flush(db)
		}
	}, func() {})
	env.Scripts.Functions.Flush()
}

// faultRestart implements FAULT.RESTART [KEEP | LOSE]. The caller keeps its connection, so that it gets the reply and a
// test can go on, but nothing that the server has lost.
func faultRestart(c *command.Call) resp.Value {
	form, known := "KEEP", c.Len() <= 2
	if c.Len() > 1 {
		form = strings.ToUpper(string(c.Arg(1)))
	}
	after, ok := afterRestarts[form]
	if !ok || !known {
		return c.Fail(command.ErrSyntax)
	}
	h, s := hooksOf(c), c.Session
	s.Unwatch()
	s.Untrack()
	for _, k := range []pubsub.Kind{pubsub.Channel, pubsub.Pattern, pubsub.Shard} {
		s.Unsubscribe(k, s.Subscriptions(k), func(string, int) {})
	}
	return c.Background(func() resp.Value {
		h.Restart(s, form, after)
		return resp.OK
	})
}

// Restart does what a restart does: all connections but that of caller, which may be nil, end with what they hold, and
// so do running scripts; scripts, counters and logs are lost. Rules of faults, the clock and the configuration stay.
// form is for the log.
func (h *Hooks) Restart(caller *command.Session, form string, after AfterRestart) {
	env := h.env
	env.Log.Info("fault", "fault", "RESTART "+form)
	env.Clients.Restart(caller, func() {
		h.Faults.dropDelayed()
		env.Unpause()
		env.Scripts.Flush()
		after(env)
		forgetStats(env)
		env.Restarted()
	})
}

// forgetStats drops the counters and logs that Redis does not save.
func forgetStats(env *command.Env) {
	env.Stats.Reset()
	env.Stats.Meter.Reset(env.TotalTraffic())
	env.Stats.Slow.Reset()
	env.Stats.Latency.Reset(nil)
	env.ACL.Log.Reset()
	tx := env.Store.NewTx()
	tx.Do(store.All, false, tx.ResetCounts, func() {})
}
