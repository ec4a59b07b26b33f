package control

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/faults"
	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/journal"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// statePart is a part of the server's state, besides keys and the clock. Its methods are called under the locks of all
// shards, so they must neither wait nor begin a transaction. The mutex of a part comes after that of Shard in the order
// of locks.
type statePart interface {
	// save returns a copy of the state, which never changes.
	save() any
	// restore puts back what save has returned, on this server or on another one of the process. nil stands for the state
	// at the start of the server. tx holds all shards.
	restore(tx *store.Tx, saved any)
}

// stateParts returns the parts of a new server, in the order in which they are restored. A feature with a state of its
// own adds it here.
func (h *Hooks) stateParts() []statePart {
	return []statePart{
		configState{h.env, h.env.Config.Save()},
		usersState{h.env},
		scriptState{h.env},
		faultState{h.Faults.Rules},
		debugState{h.env},
		lockState{h.Locks},
		journalState{h.Journal},
	}
}

// configState is the parameters of CONFIG SET.
type configState struct {
	env   *command.Env
	start config.Saved
}

func (p configState) save() any { return p.env.Config.Save() }

func (p configState) restore(tx *store.Tx, saved any) {
	values, ok := saved.(config.Saved)
	if !ok {
		values = p.start
	}
	p.env.Config.RestoreAll(values)
	p.env.ApplyLimitsIn(tx)
	p.env.Clients.TimeoutChanged()
	p.env.Tracking.Shrink(int(p.env.Config.TrackedKeys()))
}

// usersState is the ACL users. The log of denied calls stays.
type usersState struct{ env *command.Env }

func (p usersState) save() any { return p.env.ACL.Save() }

// restore makes the users of the start again from the configuration, which comes before.
func (p usersState) restore(_ *store.Tx, saved any) {
	users, ok := saved.(acl.Saved)
	if !ok {
		users = p.env.Config.StartUsers().Save()
	}
	p.env.ACL.RestoreAll(users)
}

// scriptState is the cache of scripts and the function libraries.
type scriptState struct{ env *command.Env }

func (p scriptState) save() any { return p.env.Scripts.Save() }

func (p scriptState) restore(_ *store.Tx, saved any) {
	scripts, _ := saved.(luaeval.Saved)
	p.logError(p.env.Scripts.RestoreAll(scripts))
}

// restoreLibraries restores the libraries alone, as a Redis that starts with the file that it has saved.
func (p scriptState) restoreLibraries(saved any) {
	scripts, _ := saved.(luaeval.Saved)
	p.logError(p.env.Scripts.RestoreLibraries(scripts))
}

// logError logs that libraries cannot be loaded again, which is a bug: they have been loaded once.
func (p scriptState) logError(err error) {
	if err != nil {
		p.env.Log.Error("function libraries cannot be loaded again", "error", err)
	}
}

// faultState is the rules of FAULT.ADD with their counters.
type faultState struct{ rules *faults.Rules }

func (p faultState) save() any { return p.rules.Save() }

func (p faultState) restore(_ *store.Tx, saved any) {
	rules, _ := saved.(faults.Saved)
	p.rules.RestoreAll(rules)
}

// debugState is what DEBUG switches.
type debugState struct{ env *command.Env }

type savedDebug struct {
	skipChecksum, noScriptIgnored, activeExpiry bool
	listPlain                                   int64
}

func (p debugState) save() any {
	return savedDebug{p.env.SkipChecksum.Load(), p.env.NoScriptIgnored.Load(), p.env.Store.ActiveExpiry(),
		p.env.Store.Thresholds().ListPlain.Load()}
}

func (p debugState) restore(_ *store.Tx, saved any) {
	s, ok := saved.(savedDebug)
	if !ok {
		s = savedDebug{activeExpiry: true, listPlain: store.ListPlainDefault}
	}
	p.env.SkipChecksum.Store(s.skipChecksum)
	p.env.NoScriptIgnored.Store(s.noScriptIgnored)
	p.env.Store.SetActiveExpiry(s.activeExpiry)
	p.env.Store.Thresholds().ListPlain.Store(s.listPlain)
}

// lockState is the history of locks. A reset empties it, and leaves it on if it is.
type lockState struct{ locks *Locks }

func (p lockState) save() any { return p.locks.tracker.Load().Clone() }

func (p lockState) restore(_ *store.Tx, saved any) {
	was, ok := saved.(*lockview.Tracker)
	if now := p.locks.tracker.Load(); !ok && now != nil {
		was = lockview.NewTracker(now.Capacity())
	}
	if was == nil {
		p.locks.Stop()
		return
	}
	p.locks.use(was.Clone())
}

// journalState is the journal of commands. Only a reset changes it: what was received before a restore was received.
type journalState struct{ journal *journal.Journal }

func (p journalState) save() any { return true }

func (p journalState) restore(_ *store.Tx, saved any) {
	if saved == nil {
		p.journal.Clear()
	}
}
