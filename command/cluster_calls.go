package command

// What package command/cluster needs of sessions and calls. None of it runs on a server that is no node of a cluster.

import (
	"errors"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// OneDatabase reports whether clients may use database 0 only, as on most nodes of a cluster.
func (c *Call) OneDatabase() bool {
	return c.Env().Cluster != nil && !c.Does(emulate.ClusterDatabases)
}

var errScriptNoCluster = errors.New("ERR Can not run script on cluster, 'no-cluster' flag is set.")

// SetAsking is ASKING: it holds for the next command, or until the end of the transaction that it begins.
func (s *Session) SetAsking() { s.asking = 2 }

// Asking reports whether the command follows ASKING. Only the session itself may call it.
func (s *Session) Asking() bool { return s.asking > 0 }

// ReadOnly reports whether READONLY was called.
func (s *Session) ReadOnly() bool { return s.info.readOnly.Load() }

// FromMaster reports whether the commands of the session are those of a master that this server follows.
func (s *Session) FromMaster() bool { return s.info.master.Load() }

// Env returns the state that all sessions of the server share.
func (s *Session) Env() *Env { return s.env }

// Queues reports whether the session queues a command rather than running it now.
func (s *Session) Queues(cmd *Command) bool {
	return s.multi != nil && !cmd.Flags.Has(Immediate|RunsQueued)
}

// EachQueued calls f with each command that EXEC is to run. There are none if EXEC fails anyway.
func (s *Session) EachQueued(f func(cmd *Command, args [][]byte)) {
	if s.multi == nil || s.multi.aborted {
		return
	}
	for _, call := range s.multi.calls {
		f(call.cmd, call.args)
	}
}

// EachKey calls f with each key of a call.
func (c *Command) EachKey(args [][]byte, f func(key []byte)) {
	c.Keys.each(args, func(pos int) { f(args[pos]) })
}

// MayHaveKeys reports whether calls of the command may have keys.
func (c *Command) MayHaveKeys() bool {
	k := &c.Keys
	return k.First > 0 || k.Count > 0 || k.Find != nil
}

// CallFlags returns the flags of a command, and of what it runs: a script, or what EXEC runs.
func (s *Session) CallFlags(cmd *Command, args [][]byte) Flags { return s.flagsOf(cmd, args) }

// ScriptFlags returns the flags of the script that the call runs, 0 for a call without one.
func (c *Call) ScriptFlags() luaeval.Flags {
	if c.script == nil {
		return 0
	}
	return c.script.Flags()
}

// JoinsSlot notes the slot of a key that a script uses. It reports false if the script uses another slot already.
func (c *Call) JoinsSlot(slot int) bool {
	if c.slot == 0 {
		c.Cmd.EachKey(c.Args, func(key []byte) { c.slot = hashtag.Slot(key) + 1 })
	}
	if c.slot == 0 {
		c.slot = slot + 1
	}
	return c.slot == slot+1
}

// InShards calls f within a transaction of the session that holds the shards of a call.
func (s *Session) InShards(cmd *Command, args [][]byte, f func(tx *store.Tx)) {
	s.tx.Do(cmd.Keys.locks(s.tx, args), false, func() { f(s.tx) }, func() {})
}

// redirected is the reply to a call whose slot has left before it ran.
func (c *Call) redirected(err error) resp.Value {
	if c.Cmd.Flags.Has(RunsQueued) {
		c.Session.multi = nil
		c.Session.unwatch()
	}
	c.countRejected(err, true)
	return c.Fail(err)
}

// redirect returns the error for a command of a script whose keys are not on this node.
func (s *scriptCaller) redirect() error {
	return s.outer.Env().Cluster.RedirectScript(s.outer, &s.inner)
}

// BlockedKeys returns the keys that a blocked call waits for, nil if it waits for none. It is safe for concurrent use.
func (s *Session) BlockedKeys() (cmd *Command, keys [][]byte) {
	p := s.blocked.Load()
	if p == nil || p.stopped || p.background {
		return nil, nil
	}
	return p.cmd, p.keys
}

// EndBlocked unblocks a session that waits for keys, with an error. It is safe for concurrent use.
func (s *Session) EndBlocked(err error) {
	if p := s.blocked.Load(); p != nil && !p.stopped && !p.background {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.unblocked {
			p.rejectLocked(err)
		}
	}
}
