package control

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

var restartCommands = []command.Command{
	{Name: "fault.restart", Usage: "[KEEP | LOSE | SNAPSHOT name]", Arity: -1, Flags: changes, Since: since,
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
	env.Store.Exclusively(func(tx *store.Tx) {
		for db := range env.Store.Databases() {
			tx.Flush(db)
		}
		env.AnyChanged(tx)
		env.Replication.DataReplaced()
	})
	env.Scripts.Functions.Flush()
}

// DataOf is an AfterRestart that has the keys and functions of a snapshot, as if the server had last saved them then.
// The clock goes on, so TTLs have become shorter since.
func DataOf(s *Snapshot) AfterRestart {
	return func(env *command.Env) {
		env.Store.Exclusively(func(tx *store.Tx) {
			tx.Restore(s.data)
			env.AnyChanged(tx)
			env.Replication.DataReplaced()
		})
		for i, p := range env.Hooks.(*Hooks).state {
			if scripts, ok := p.(scriptState); ok {
				scripts.restoreLibraries(s.parts[i])
			}
		}
	}
}

// faultRestart implements FAULT.RESTART [KEEP | LOSE | SNAPSHOT name]. The caller keeps its connection, so that it gets
// the reply and a test can go on, but nothing that the server has lost.
func faultRestart(c *command.Call) resp.Value {
	h, s := hooksOf(c), c.Session
	form, after, err := h.afterRestart(command.Strings(c.Rest(1)))
	if err != nil {
		return c.Fail(err)
	}
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

// afterRestart reads the arguments of FAULT.RESTART.
func (h *Hooks) afterRestart(args []string) (form string, after AfterRestart, err error) {
	if len(args) == 0 {
		return "KEEP", KeepData, nil
	}
	form = strings.ToUpper(args[0])
	if form == "SNAPSHOT" && len(args) == 2 {
		s, err := h.kept(args[1])
		return form, DataOf(s), err
	}
	after, ok := afterRestarts[form]
	if !ok || len(args) > 1 {
		return form, nil, command.ErrSyntax
	}
	return form, after, nil
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
