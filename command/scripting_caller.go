package command

// scriptCaller is how a script reaches commands: luaeval knows it as luaeval.Caller. As in Redis, redis.call is a
// client without a connection. The commands run within the transaction of the EVAL, with its database, under the user
// of its session, and by the same handlers (Call.runNested); only the checks before differ, and their error texts.
//
// A key that the script has not declared may lie in a shard that is not locked. Then the transaction restarts, the
// script ends at its next instruction, and runs again from the start with all shards locked. Its NeedsAllShards
// makes the next call of the script lock all of them from the start.

import (
	"errors"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

var (
	errScriptUnknown    = errors.New("ERR Unknown Redis command called from script")
	errScriptArity      = errors.New("ERR Wrong number of args calling Redis command from script")
	errScriptNotAllowed = errors.New("ERR This Redis command is not allowed from script")
	// Of Valkey:
	errScriptUnknownServer    = errors.New("ERR Unknown command called from script")
	errScriptArityServer      = errors.New("ERR Wrong number of args calling command from script")
	errScriptNotAllowedValkey = errors.New("ERR This Valkey command is not allowed from script")

	errScriptWrites   = errors.New("ERR Can not execute a script with write flag using *_ro command.")
	errScriptReadOnly = errors.New("ERR Write commands are not allowed from read-only scripts.")
)

// scriptCaller runs the commands that a script calls. Kill may be called from any goroutine, all else by that of the
// script only.
type scriptCaller struct {
	outer      *Call         // EVAL, EVALSHA or FCALL
	inner      Call          // the command that the script calls now
	readOnly   bool          // the script has the flag no-writes, or EVAL_RO or the like runs it
	writeState atomic.Uint32 // noWriteYet, hasWritten or killed
	encoded    []byte        // the last reply, to know its size
	local      bool          // replicas do not get what the script does from now on
}

// begin prepares for running the script of c.
func (s *scriptCaller) begin(c *Call) {
	s.outer, s.local, c.errorCounted = c, false, false
	s.readOnly = c.Cmd.Flags.Has(ReadOnly) || c.script.Flags().Has(luaeval.NoWrites)
	s.writeState.Store(noWriteYet)
}

// The write states of a script. Only noWriteYet changes: SCRIPT KILL fails for a script that has written, and a killed
// script can't write any more.
const (
	noWriteYet uint32 = iota
	hasWritten
	killed
)

// beginWrite records that the script writes. It returns false if the script has been killed.
func (s *scriptCaller) beginWrite() bool {
	return s.writeState.Load() == hasWritten || s.writeState.CompareAndSwap(noWriteYet, hasWritten)
}

// Kill implements luaeval.Caller.
func (s *scriptCaller) Kill() bool { return s.writeState.CompareAndSwap(noWriteYet, killed) }

// CommandLine implements luaeval.Caller.
func (s *scriptCaller) CommandLine() []string { return Strings(s.outer.Args) }

// Call implements luaeval.Caller.
func (s *scriptCaller) Call(args [][]byte) resp.Value {
	cmd, err := s.checkCall(args)
	s.inner = Call{Tx: s.outer.Tx, Cmd: cmd, Args: args, Session: s.outer.Session, fromScript: true,
		local: s.local}
	if err != nil {
		return s.reject(err, false)
	}
	if s.outer.Env().Cluster != nil {
		if err := s.redirect(); err != nil {
			return s.reject(err, false)
		}
	}
	if err := s.inner.askHooks(); err != nil {
		return s.reject(err, true)
	}
	if cmd.Flags.Has(Write) && !s.beginWrite() {
		return resp.None // the script ends at its next instruction
	}
	v := s.inner.runNested()
	if s.outer.Tx.Restarting() {
		s.outer.script.SetNeedsAllShards()
	}
	if s.inner.logsLarge() {
		s.logLargeFromScript(v)
	}
	return v
}

// SetReplicated implements luaeval.Caller.
func (s *scriptCaller) SetReplicated(on bool) { s.local = !on }

// Restarting implements luaeval.Caller.
func (s *scriptCaller) Restarting() bool { return s.outer.Tx.Restarting() }

// ErrorCounted implements luaeval.Caller.
func (s *scriptCaller) ErrorCounted() { s.outer.errorCounted = true }

// MayCall implements luaeval.Caller.
func (s *scriptCaller) MayCall(args [][]byte) (allowed, known bool) {
	cmd, _ := s.outer.Env().Table.find(args)
	return cmd != nil && s.outer.Session.mayCall(cmd, args) == nil, cmd != nil
}

// checkCall finds the command that a script calls, and returns the error that rejects the call. The texts differ from
// those for a client.
func (s *scriptCaller) checkCall(args [][]byte) (cmd *Command, err error) {
	cmd, container := s.outer.Env().Table.find(args)
	switch {
	case cmd == nil:
		return nil, s.unknown(container, args)
	case cmd.Run == nil, !cmd.arityOK(len(args)):
		return cmd, s.choose(emulate.ServerTable, errScriptArityServer, errScriptArity)
	case s.denied(cmd):
		return cmd, s.choose(emulate.ValkeyInScriptErrors, errScriptNotAllowedValkey, errScriptNotAllowed)
	case s.outer.Does(emulate.MemoryBeforeUser) && s.lacksMemory(cmd):
		return cmd, errOutOfMemory
	}
	if err := s.outer.Session.permitFromScript(cmd, args); err != nil {
		return cmd, err
	}
	if s.readOnly && cmd.Flags.Has(Write|MayReplicate) {
		return cmd, errScriptReadOnly
	}
	return cmd, s.checkMemoryAndReplicas(cmd)
}

// denied reports whether scripts may not call the command. Env.NoScriptIgnored allows what EXEC can run, too, except
// what runs scripts, logs in or subscribes: that needs the client for itself.
func (s *scriptCaller) denied(cmd *Command) bool {
	if !cmd.Flags.Has(NoScript) {
		return false
	}
	return cmd.Flags.Has(NoMulti|Immediate|SkipMonitor|NoAuth|PubSub) || !s.outer.Env().NoScriptIgnored.Load()
}

// unknown is the error for a command that does not exist, or for a subcommand of container.
func (s *scriptCaller) unknown(container *Command, args [][]byte) error {
	if container != nil && s.outer.Does(emulate.ValkeyInScriptErrors) {
		return errUnknownSubcommand(container, args[1])
	}
	return s.choose(emulate.ServerTable, errScriptUnknownServer, errScriptUnknown)
}

// choose returns the error of servers that behave so, or that of the others.
func (s *scriptCaller) choose(b emulate.Behavior, these, others error) error {
	if s.outer.Does(b) {
		return these
	}
	return others
}

// reject counts the error and returns it as the reply. asked says whether the hooks were asked about the call.
func (s *scriptCaller) reject(err error, asked bool) resp.Value {
	s.inner.countRejected(err, asked)
	return resp.Error(err.Error())
}

// LoadScript loads a script by Engine.Load or Engine.Evaluate. If the transaction is rolled
// back, the script leaves the cache again, so that SCRIPT EXISTS does not find it.
func (c *Call) LoadScript(source []byte, load func([]byte) (*luaeval.Script, error)) (*luaeval.Script, error) {
	scripts := c.Env().Scripts
	known := c.nested && scripts.Get([]byte(luaeval.SHA1(source))) != nil
	script, err := load(source)
	if err == nil && c.nested && !known {
		c.Tx.OnUndo(func() { scripts.Forget(script) })
	}
	return script, err
}

// SetScript sets the script that the call runs. EVAL_RO and the like return an error for a script that declares flags
// but not no-writes.
func (c *Call) SetScript(script luaeval.Program) error {
	if c.Cmd.Flags.Has(ReadOnly) && script.Flags().Has(luaeval.Declared) && !script.Flags().Has(luaeval.NoWrites) {
		return errScriptWrites
	}
	c.script = script
	return nil
}

// SetScriptUnchecked is SetScript without the check, for FCALL: FUNCTION LOAD may replace the function before the
// shards are locked.
func (c *Call) SetScriptUnchecked(script luaeval.Program) { c.script = script }

// RunScript runs the script that Prepare has set. Argument 2 is numkeys; KEYS and ARGV follow.
func (c *Call) RunScript() resp.Value {
	if err := c.checkScript(); err != nil {
		return c.Fail(err)
	}
	s := c.Session
	s.lua.begin(c)
	defer c.Tx.Select(c.Tx.DB())
	n := 3 + c.Cmd.Keys.counted(c.Args)
	return c.Env().Scripts.Run(c.script, c.Args[3:n], c.Args[n:], &s.lua)
}

// scriptLocks returns the shards to lock for a script, nil for a call without one, that declares keys in declared.
func scriptLocks(script luaeval.Program, declared store.Locks) store.Locks {
	if script != nil && script.NeedsAllShards() {
		return store.All
	}
	return declared
}
