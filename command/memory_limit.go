package command

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

var (
	errOutOfMemory = errors.New("OOM command not allowed when used memory > 'maxmemory'.")
	errScriptOOM   = errors.New("OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'")
	errTooFew      = errors.New("NOREPLICAS Not enough good replicas to write.")
)

// checkMemoryAndReplicas makes room for a command if memory is short, and refuses one that could take more of it where
// that does not help. It also refuses to write where replicas are asked for, since there are none (redis.conf:
// maxmemory, min-replicas-to-write).
func (s *Session) checkMemoryAndReplicas(cmd *Command, args [][]byte) error {
	s.short = s.env.Store.OverLimit() && s.env.Scripts.Busy() == nil && !s.tx.MakeRoom()
	if !s.short && !s.env.Config.LacksReplicas() {
		return nil
	}
	flags := s.flagsOf(cmd, args)
	switch {
	case s.short && (flags.Has(DenyOOM) || s.multi != nil && !cmd.Flags.Has(EndsMulti)):
		return errOutOfMemory
	case s.env.Config.LacksReplicas() && flags.Has(Write):
		return errTooFew
	}
	return nil
}

// flagsOf are the flags of a command as it is called: those of EXEC tell what is queued, those of a script what the
// script has said about itself.
func (s *Session) flagsOf(cmd *Command, args [][]byte) Flags {
	switch {
	case cmd.Script != nil:
		return cmd.Flags | scriptNeeds(cmd.Script(s.env, args[1]))
	case cmd.Flags.Has(RunsQueued) && s.multi != nil:
		flags := cmd.Flags
		for _, call := range s.multi.calls {
			flags |= s.flagsOf(call.cmd, call.args)
		}
		return flags
	}
	return cmd.Flags
}

// scriptNeeds is what a script that says something about itself may do to the keyspace.
func scriptNeeds(said luaeval.Flags) (needs Flags) {
	if !said.Has(luaeval.Declared) || said.Has(luaeval.NoWrites) {
		return 0
	}
	if !said.Has(luaeval.AllowOOM) {
		needs = DenyOOM
	}
	return needs | Write
}

// checkScript refuses a script that has got past checkMemoryAndReplicas, since its transaction was admitted before the
// script was known.
func (c *Call) checkScript() error {
	needs := scriptNeeds(c.script.Flags)
	switch {
	case needs.Has(Write) && c.Env().Config.LacksReplicas():
		return errTooFew
	case needs.Has(DenyOOM) && c.Session.short:
		return errScriptOOM
	}
	return nil
}

// checkMemoryAndReplicas refuses the first change that a script is about to make, where memory is short or replicas are
// missing. After that it goes on, since it can't be left half done.
func (s *scriptCaller) checkMemoryAndReplicas(cmd *Command) error {
	if !cmd.Flags.Has(Write|DenyOOM) || s.fate.Load() == wrote {
		return nil
	}
	c := s.outer
	switch {
	case cmd.Flags.Has(Write) && c.Env().Config.LacksReplicas():
		return errTooFew
	case cmd.Flags.Has(DenyOOM) && c.Session.short && !c.script.Flags.Has(luaeval.AllowOOM):
		return errOutOfMemory
	}
	return nil
}

// ApplyLimits makes the store follow the parameters that limit its memory.
func (e *Env) ApplyLimits() {
	tx := e.Store.NewTx()
	tx.Do(store.All, false, func() { e.FollowLimits(tx) }, func() {})
}

// FollowLimits makes the store follow the parameters that limit its memory. The transaction must hold all shards.
func (e *Env) FollowLimits(tx *store.Tx) {
	limits := e.Config.Limits()
	if limits == e.Store.Limits() {
		return
	}
	tx.SetLimits(limits)
	tx.Evict(math.MaxInt)
}
