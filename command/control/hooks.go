package control

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/journal"
	"github.com/minilockd/minilockd/store"
)

// Hooks is what this package keeps for one server, and how it takes part in calls. Its parts know nothing of each
// other; each turns on the hooks that it needs.
type Hooks struct {
	env       *command.Env
	Faults    *Faults
	Partition *Partition
	Locks     *Locks
	Journal   *journal.Journal
	needs     needs

	state     []statePart
	snapshots snapshots
}

// NewHooks returns the hooks of a server. They are off until a part needs them.
func NewHooks(env *command.Env) command.Hooks {
	h := &Hooks{env: env}
	h.needs.enable = env.EnableHooks
	h.Faults = newFaults(env, func(set command.HookSet) { h.needs.set(faultPart, set) })
	h.Partition = &Partition{env: env, need: h.needs.of(partitionPart, command.HookCalls)}
	h.Journal = journal.New(h.needs.of(journalPart, command.HookCalls|command.HookFailures))
	h.Locks = &Locks{env: env, enable: h.needs.of(lockPart, command.HookCalls|command.HookAfter|command.HookChanges)}
	h.state = h.stateParts()
	return h
}

// hooksOf returns the hooks of a call's server.
func hooksOf(c *command.Call) *Hooks { return c.Env().Hooks.(*Hooks) }

// Before implements command.Hooks.
func (h *Hooks) Before(c *command.Call) (v command.Verdict) {
	if !c.Session.Exempt() {
		v = h.stop(c)
	}
	if !v.Again {
		h.note(c)
		h.Locks.before(c)
	}
	return v
}

// stop returns what a partition and the faults make of a call.
func (h *Hooks) stop(c *command.Call) command.Verdict {
	if hold := h.Partition.hold(); hold != nil && !c.FromScript() {
		return command.Verdict{Hold: hold, Again: true}
	}
	if h.needs.has(faultPart, command.HookCalls) {
		return h.Faults.before(c)
	}
	return command.Verdict{}
}

// After implements command.Hooks.
func (h *Hooks) After(c *command.Call, reply resp.Value, changed bool) {
	h.Locks.after(c, reply, changed)
}

// Committed implements command.Hooks.
func (h *Hooks) Committed(tx *store.Tx, changes []command.KeyChange) { h.Locks.committed(tx, changes) }

// Message implements command.Hooks.
func (h *Hooks) Message(m command.Message) (taken bool) { return h.Faults.message(m) }

// Connected implements command.Hooks.
func (h *Hooks) Connected(s *command.Session) command.Verdict { return h.Faults.connected(s) }

// Close implements command.Hooks.
func (h *Hooks) Close() { h.Faults.dropDelayed() }
