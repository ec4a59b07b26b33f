package control

import (
	"errors"
	"sync"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/faults"
	"github.com/minilockd/minilockd/journal"
	"github.com/minilockd/minilockd/store"
)

// Hooks is what this package keeps for one server, and how it takes part in calls. Its parts know nothing of each
// other; each turns on the hooks that it needs.
type Hooks struct {
	env    *command.Env
	Faults *Faults
	Locks  *Locks
	needs  needs

	Journal *journal.Journal
}

// NewHooks returns the hooks of a server. They are off until a part needs them.
func NewHooks(env *command.Env) command.Hooks {
	h := &Hooks{env: env}
	h.needs.enable = env.EnableHooks
	h.Faults = &Faults{faults.NewRules(h.needs.of(faultPart, command.HookCalls)), env.Table}
	h.Journal = journal.New(h.needs.of(journalPart, command.HookCalls|command.HookFailures))
	h.Locks = &Locks{env: env, enable: h.needs.of(lockPart, command.HookCalls|command.HookChanges)}
	return h
}

// hooksOf returns the hooks of a call's server.
func hooksOf(c *command.Call) *Hooks { return c.Env().Hooks.(*Hooks) }

// Before implements command.Hooks.
func (h *Hooks) Before(c *command.Call) command.Verdict {
	h.note(c)
	h.Locks.before(c)
	if !h.needs.on[faultPart].Load() {
		return command.Verdict{}
	}
	hit, takeBack, ok := h.Faults.Next(describe(c))
	if c.FromScript() {
		c.Tx.OnUndo(takeBack) // the script will make the call again
	}
	if !ok {
		return command.Verdict{}
	}
	h.env.Log.Info("fault", "rule", hit.ID, "fault", hit.Action.String(), "command", c.Cmd.FullName(),
		"client", c.Session.ID)
	return h.verdict(&hit)
}

// Changed implements command.Hooks.
func (h *Hooks) Changed(tx *store.Tx, _ string, db int, key []byte) { h.Locks.changed(tx, db, key) }

// describe tells the rules what they may ask about a call.
func describe(c *command.Call) *faults.Call {
	s := c.Session
	return &faults.Call{Command: c.Cmd.FullName(), Scripted: c.FromScript(), InCategory: c.Cmd.InCategory, Keys: c.Keys,
		Script: c.ScriptName, Now: c.Env().Clock.Now(),
		Client: faults.Client{ID: s.ID, Name: s.Name(), Addr: s.Addr, Created: s.Created}}
}

// verdict returns what the core is to make of the call.
func (h *Hooks) verdict(hit *faults.Hit) command.Verdict {
	switch hit.Action.Kind {
	case fault.KindError:
		return command.Verdict{Err: errors.New(hit.Action.Text)}
	case fault.KindDelay:
		return command.Verdict{Hold: h.delay(hit)}
	case fault.KindHang:
		return command.Verdict{Hold: hang(hit)}
	case fault.KindClose:
		return command.Verdict{Close: true}
	case fault.KindLoseReply, fault.KindCutReply:
		return command.Verdict{Cut: true, Bytes: hit.Action.Bytes}
	}
	return command.Verdict{Twice: true}
}

// delay holds a call for the delay of a hit.
func (h *Hooks) delay(hit *faults.Hit) command.Hold {
	var clk clock.Clock = h.env.Clock
	if hit.Action.RealTime {
		clk = clock.Real{}
	}
	return func(resume func()) (cancel func()) { return clk.AfterFunc(hit.Delay, resume).Stop }
}

// hang holds a call until its rule is removed.
func hang(hit *faults.Hit) command.Hold {
	return func(resume func()) (cancel func()) {
		canceled := make(chan struct{})
		go func() {
			select {
			case <-hit.Removed:
				resume()
			case <-canceled:
			}
		}()
		return sync.OnceFunc(func() { close(canceled) })
	}
}
