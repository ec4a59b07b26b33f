package command

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Hooks are the one way by which a part outside of the core takes part in calls, messages and connections, such as the
// faults of package control. About a call they are asked once all checks have passed: a call that Redis rejects is no
// call. While they are off, a call costs two loads more, and a message one.

// Hooks watch calls, messages and connections, and change what becomes of them. All methods must be safe for concurrent
// use.
type Hooks interface {
	// Before returns what is to become of a call that a client makes, before it runs or MULTI queues it, or that a
	// script makes. It must not keep the call. It may run under the locks of shards, so it must not wait. Of the verdict
	// on a call by a script only Err has an effect; if the script restarts, its calls are asked about again.
	Before(c *Call) Verdict
	// After is called when a call by a client has run, unless it blocks, and its transaction has committed, before the
	// reply is sent. changed says whether it has changed a key. It runs under the locks of the transaction's shards.
	After(c *Call, reply resp.Value, changed bool)
	// Failed is called with the text of each error reply to a client or a script. asked says whether Before was asked
	// about the call; it is not about those that are rejected. Of a call that has blocked, Args is nil; Cmd is nil if the
	// command is unknown. It may run in another goroutine than that of the session, under any lock of package store, and
	// again if a transaction restarts.
	Failed(c *Call, text string, asked bool)
	// Committed is called when a transaction commits that has changed keys: those that have had a keyspace event, whatever
	// notify-keyspace-events says, so also those that expire or are evicted. A key may be there more than once, and a
	// transaction may commit in several steps. It runs under the locks of the transaction's shards and must not wait.
	// tx.Owner is the *Session that has made the changes; nil if a timer has.
	Committed(tx *store.Tx, changes []KeyChange)
	// Message reports whether the hooks have taken over a message, which then reaches no subscriber by itself. It runs
	// when the transaction of the publisher commits, under the locks of its shards, so it must not wait.
	Message(m Message) (taken bool)
	// Connected returns what is to become of a new connection, before anything is read from it: of the verdict only Close
	// and Restrict have an effect.
	Connected(s *Session) Verdict
	// Close ends what the hooks have begun. No session exists any more.
	Close()
}

// HookSet says which of the Hooks are called.
type HookSet uint32

// One bit for each method of Hooks.
const (
	HookCalls       HookSet = 1 << iota // Before
	HookChanges                         // Committed
	HookMessages                        // Message
	HookConnections                     // Connected
	HookFailures                        // Failed
	HookAfter                           // After
)

// hookSwitch is the set of Hooks that are on. The zero value is none; it is safe for concurrent use.
type hookSwitch struct{ set atomic.Uint32 }

func (h *hookSwitch) on(set HookSet) bool { return HookSet(h.set.Load())&set != 0 }

// Verdict is what becomes of a call. The zero value lets it run. If several fields are set, the first decides.
type Verdict struct {
	Err   error // the call does not run, and this is the reply
	Hold  Hold  // the call runs later
	Again bool  // with Hold: the hooks are asked about the call again before it runs
	Close bool  // the connection is closed, and the call does not run
	Cut   bool  // the call runs, then the connection is closed when Bytes of the reply are sent
	Bytes int
	Twice bool // the call runs twice; the reply is that of the second time

	Restrict *Restriction // the connection is restricted, and the call runs
}

// Restriction limits what a connection transfers. A connection has one at a time, and a new one replaces it.
type Restriction struct {
	NoReading bool            // nothing is read
	Rate      int             // bytes in a second, in each direction, on the server's clock; 0 is no limit
	Until     <-chan struct{} // closed when the restriction ends
}

// Hold keeps a call until resume is called, which may be at once and from any goroutine. cancel is called when the call
// is no longer held, for whatever reason.
type Hold func(resume func()) (cancel func())

// EnableHooks turns Env.Hooks on, or off for 0. It is safe for concurrent use.
func (e *Env) EnableHooks(set HookSet) { e.hooks.set.Store(uint32(set)) }

// intercept asks the hooks about a call, and reports whether they have changed what becomes of it.
func (s *Session) intercept(cmd *Command, args [][]byte) bool {
	if s.hooked || cmd.Flags.Has(Control) {
		return false
	}
	s.call = Call{Tx: s.tx, Cmd: cmd, Args: args, Session: s}
	if s.changes != nil {
		s.changes.told = false
	}
	switch v := s.env.Hooks.Before(&s.call); {
	case v.Err != nil:
		s.reject(cmd, args, v.Err, true)
	case v.Hold != nil:
		p := s.blockStopped(cmd, args, !v.Again)
		p.cancel = v.Hold(p.runStopped)
	case v.Close:
		s.Closing = true
	case v.Cut:
		s.executeCut(cmd, args, &replyCut{bytes: v.Bytes})
	case v.Twice:
		s.executeCut(cmd, args, &replyCut{again: true})
	case v.Restrict != nil:
		s.peer.Restrict(*v.Restrict)
		return false
	default:
		return false
	}
	return true
}

// committed tells the hooks that the call has run and its transaction has committed.
func (s *Session) committed(reply resp.Value) {
	if s.env.hooks.on(HookAfter) && s.blocked.Load() == nil {
		s.env.Hooks.After(&s.call, reply, s.changes != nil && s.changes.told)
	}
}

// Admit asks the hooks about a new connection, and reports whether it is to be served. The connection calls it before
// it reads.
func (s *Session) Admit() bool {
	if !s.env.hooks.on(HookConnections) {
		return true
	}
	v := s.env.Hooks.Connected(s)
	if v.Restrict != nil {
		s.peer.Restrict(*v.Restrict)
	}
	return !v.Close
}

// replyCut is what becomes of the reply to a call, and what follows.
type replyCut struct {
	bytes int  // of the reply that are sent
	again bool // the call is executed once more, with its reply; otherwise the connection is closed
}

// executeCut executes a call whose reply is cut. If it blocks, it goes on in Resume.
func (s *Session) executeCut(cmd *Command, args [][]byte, cut *replyCut) {
	s.postReplies()
	s.cut = cut // so reply leaves the reply in Out
	s.execute(cmd, args)
	s.cut = nil
	if s.blocked.Load() != nil {
		return
	}
	s.Out = s.Out[:min(len(s.Out), cut.bytes)]
	if cut.again {
		s.execute(cmd, args)
		return
	}
	s.closeAfterCut()
}

// closeAfterCut closes the connection after what is left of a reply. Nothing else is pushed to the client.
func (s *Session) closeAfterCut() {
	s.env.PubSub.Drop(s.subs)
	s.Untrack()
	s.unmonitor()
	s.monitorLines, s.broadcasts = nil, nil
	s.pushes.take()
	if s.pushesEnabled {
		s.Out = s.peer.Post(s.Out)
	}
	s.Closing = true
}

// AnyChanged tells the hooks that a transaction, which holds all shards, has flushed or swapped databases.
func (e *Env) AnyChanged(tx *store.Tx) {
	if e.hooks.on(HookChanges) {
		e.changesOf(tx).addAll()
	}
}

// Called returns the call that the client has made last: EVAL, not what the script calls. Only the goroutine that runs
// the session's transaction may use it.
func (s *Session) Called() *Call { return &s.call }

// InMulti reports whether MULTI queues the client's calls.
func (s *Session) InMulti() bool { return s.multi != nil }

// AllArgs returns the arguments of the call; of EXEC, those of the calls that it has run.
func (c *Call) AllArgs() [][]byte {
	if c.executed == nil {
		return c.Args
	}
	var args [][]byte
	for _, call := range c.executed.calls {
		args = append(args, call.args...)
	}
	return args
}

// Keys returns the keys of the call, which alias its arguments; none if the arguments are invalid.
func (c *Call) Keys() (keys [][]byte) {
	for _, found := range c.Cmd.KeysIn(c.Args) {
		keys = append(keys, c.Args[found.Pos])
	}
	return keys
}

// ScriptName returns the SHA1 of the script, or the name of the function, that the call runs or that makes the call; ""
// if there is none.
func (c *Call) ScriptName() string {
	if c.fromScript {
		return c.Session.lua.outer.ScriptName()
	}
	if c.script == nil && c.Cmd.Script != nil {
		asked := *c
		if asked.prepare() != nil {
			return ""
		}
		return asked.ScriptName()
	}
	if c.script == nil {
		return ""
	}
	return c.script.ID()
}

// failed tells the hooks of the error reply to a call, except of a command with the flag Control.
func (c *Call) failed(text string, asked bool) {
	if c.Env().hooks.on(HookFailures) && (c.Cmd == nil || !c.Cmd.Flags.Has(Control)) {
		c.Env().Hooks.Failed(c, text, asked)
	}
}

// askHooks returns the error that the hooks have for a call by a script, nil for none.
func (c *Call) askHooks() error {
	if !c.Env().hooks.on(HookCalls) {
		return nil
	}
	return c.Env().Hooks.Before(c).Err
}
