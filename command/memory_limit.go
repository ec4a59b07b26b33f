package command

// maxmemory, min-replicas-to-write and replica-read-only (redis.conf). Before each command, as in Redis, used memory
// above maxmemory is evicted by maxmemory-policy; if it stays above, commands with the flag denyoom are rejected. What
// a replica rejects, and a master that has too few, is up to package command/replication.
//
// What EXEC and scripts do is checked as a whole, before they begin, as far as it is known then: by the flags of the
// queued commands, and by those that a script has declared. A script without declared flags is checked at its first
// write; after that it may go on, since a script is not left half done.

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

var (
	errOutOfMemory = errors.New("OOM command not allowed when used memory > 'maxmemory'.")
	errScriptOOM   = errors.New("OOM allow-oom flag is not set on the script, can not run it when used memory > " +
		"'maxmemory'")
)

// checkMemoryAndReplicas evicts keys if need be, and returns the error that rejects the command. During CLIENT PAUSE no
// key is evicted, and memory rejects no command.
func (s *Session) checkMemoryAndReplicas(cmd *Command, args [][]byte) error {
	s.outOfMemory = s.env.Store.OverLimit() && s.env.Scripts.Busy() == nil && s.env.Paused() == PauseNothing &&
		!s.tx.MakeRoom()
	if !s.outOfMemory && !s.env.mayRejectWrites() {
		return nil
	}
	flags := s.flagsOf(cmd, args)
	if s.outOfMemory && (flags.Has(DenyOOM) || s.multi != nil && !cmd.Flags.Has(EndsMulti)) {
		return errOutOfMemory
	}
	return s.env.rejectWrite(s, cmd, flags)
}

// mayRejectWrites reports whether a call that writes may be rejected since this is a replica, or a master that needs
// replicas (min-replicas-to-write), or since the data could not be saved.
func (e *Env) mayRejectWrites() bool {
	return e.roles.on(isReplica|saveFailed) || e.Config.NeedsReplicas()
}

// rejectWrite returns the error for a call with these flags while mayRejectWrites. cmd is nil for that of a script.
func (e *Env) rejectWrite(s *Session, cmd *Command, flags Flags) error {
	if e.roles.on(saveFailed) {
		if err := e.Persistence.Reject(cmd, flags); err != nil {
			return err
		}
	}
	if e.IsReplica() || e.Config.NeedsReplicas() {
		return e.Replication.Reject(s, flags)
	}
	return nil
}

// flagsOf returns the flags of a call: for EXEC with those of the queued calls, for EVAL and the like with those that
// follow from the flags that the script declares.
func (s *Session) flagsOf(cmd *Command, args [][]byte) Flags {
	switch {
	case cmd.Script != nil:
		return cmd.Flags | scriptFlags(cmd.Script(s.env, args[1]))
	case cmd.Flags.Has(RunsQueued) && s.multi != nil:
		flags := cmd.Flags
		for _, call := range s.multi.calls {
			flags |= s.flagsOf(call.cmd, call.args)
		}
		return flags
	}
	return cmd.Flags
}

// scriptFlags translates the flags that a script declares ("#!lua flags=…"). A script without a declaration has none:
// its commands are checked one by one.
func scriptFlags(declared luaeval.Flags) (needs Flags) {
	if !declared.Has(luaeval.Declared) || declared.Has(luaeval.NoWrites) {
		return 0
	}
	if !declared.Has(luaeval.AllowOOM) {
		needs = DenyOOM
	}
	return needs | Write
}

// checkScript repeats the check of Session.checkMemoryAndReplicas when a script starts: within EXEC it may not have
// been in the cache before.
func (c *Call) checkScript() error {
	needs := scriptFlags(c.script.Flags())
	switch {
	case needs.Has(Write) && c.Env().mayRejectWrites():
		return c.Env().rejectWrite(c.Session, c.Cmd, needs)
	case needs.Has(DenyOOM) && c.Session.outOfMemory:
		return errScriptOOM
	case c.Env().Cluster != nil && c.script.Flags().Has(luaeval.NoCluster):
		return errScriptNoCluster
	}
	return nil
}

// checkMemoryAndReplicas returns the error that rejects a command of a script, unless the script has written already.
func (s *scriptCaller) checkMemoryAndReplicas(cmd *Command) error {
	if env := s.outer.Env(); env.mayRejectWrites() && s.writeState.Load() != hasWritten {
		if err := env.rejectWrite(s.outer.Session, nil, cmd.Flags); err != nil {
			return err
		}
	}
	if s.lacksMemory(cmd) {
		return errOutOfMemory
	}
	return nil
}

// lacksMemory reports whether a command of a script must not use memory now.
func (s *scriptCaller) lacksMemory(cmd *Command) bool {
	return cmd.Flags.Has(DenyOOM) && s.outer.Session.outOfMemory && s.writeState.Load() != hasWritten &&
		!s.outer.script.Flags().Has(luaeval.AllowOOM)
}

// ApplyLimits gives the store the memory parameters of the configuration, and evicts keys at once.
func (e *Env) ApplyLimits() {
	e.Store.Exclusively(func(tx *store.Tx) { e.ApplyLimitsIn(tx) })
}

// ApplyLimitsIn is ApplyLimits within a transaction, which must hold all shards.
func (e *Env) ApplyLimitsIn(tx *store.Tx) {
	if e.setLimits(tx) {
		tx.Evict(math.MaxInt)
	}
}

// setLimits gives the store the memory parameters, and reports whether they have changed.
func (e *Env) setLimits(tx *store.Tx) (changed bool) {
	limits := e.Config.Limits()
	if e.IsReplica() { // its master evicts and expires keys
		limits.Importing, limits.Memory = true, 0
	}
	if limits == e.Store.Limits() {
		return false
	}
	tx.SetLimits(limits)
	return true
}

// ApplyLimits is Env.ApplyLimits for a call. Within EXEC no key is evicted: the next command does that, unless CLIENT
// PAUSE follows.
func (c *Call) ApplyLimits() {
	if c.nested {
		c.Env().setLimits(c.Tx)
		return
	}
	c.Env().ApplyLimitsIn(c.Tx)
}
