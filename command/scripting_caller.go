package command

import (
	"errors"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

var (
	errScriptUnknown  = errors.New("ERR Unknown Redis command called from script")
	errScriptArity    = errors.New("ERR Wrong number of args calling Redis command from script")
	errScriptRefused  = errors.New("ERR This Redis command is not allowed from script")
	errScriptWrites   = errors.New("ERR Can not execute a script with write flag using *_ro command.")
	errScriptReadOnly = errors.New("ERR Write commands are not allowed from read-only scripts.")
)

// scriptCaller runs the commands of a script within the transaction of the call that runs the script.
type scriptCaller struct {
	outer    *Call
	inner    Call
	readOnly bool          // the script said that it writes nothing, or was called by a command for such scripts
	fate     atomic.Uint32 // fresh, wrote or killed
}

// begin makes the caller ready for the script of a call.
func (s *scriptCaller) begin(c *Call) {
	s.outer, c.errorCounted = c, false
	s.readOnly = c.Cmd.Flags.Has(ReadOnly) || c.script.Flags.Has(luaeval.NoWrites)
	s.fate.Store(fresh)
}

// What has become of a script: one that has written can't be killed, and one that was killed can't write.
const (
	fresh uint32 = iota
	wrote
	killed
)

func (s *scriptCaller) mayWrite() bool {
	return s.fate.Load() == wrote || s.fate.CompareAndSwap(fresh, wrote)
}

// Kill implements luaeval.Caller.
func (s *scriptCaller) Kill() bool { return s.fate.CompareAndSwap(fresh, killed) }

// Words implements luaeval.Caller.
func (s *scriptCaller) Words() []string { return Strings(s.outer.Args) }

// Call implements luaeval.Caller.
func (s *scriptCaller) Call(args [][]byte) resp.Value {
	cmd, err := s.admit(args)
	if err != nil {
		return s.refuse(cmd, err)
	}
	if cmd.Flags.Has(Write) && !s.mayWrite() {
		return resp.None // it is about to be stopped
	}
	s.inner = Call{Tx: s.outer.Tx, Cmd: cmd, Args: args, Session: s.outer.Session, scripted: true}
	v := s.inner.within()
	if s.outer.Tx.Restarting() {
		s.outer.script.NeedsAllShards.Set()
	}
	return v
}

// Abandoned implements luaeval.Caller.
func (s *scriptCaller) Abandoned() bool { return s.outer.Tx.Restarting() }

// ErrorCounted implements luaeval.Caller.
func (s *scriptCaller) ErrorCounted() { s.outer.errorCounted = true }

// May implements luaeval.Caller.
func (s *scriptCaller) May(args [][]byte) (allowed, known bool) {
	cmd := s.find(args)
	return cmd != nil && s.outer.Session.mayCall(cmd, args) == nil, cmd != nil
}

// find returns the command of these words, nil if there is none, or the container where a subcommand is missing.
func (s *scriptCaller) find(args [][]byte) *Command {
	cmd := s.outer.Env().Table.byName.find(args[0])
	if cmd == nil || cmd.Sub == nil || len(args) < 2 {
		return cmd
	}
	return cmd.index.find(args[1])
}

// admit decides whether a script may call a command. Its refusals are worded otherwise than those to a client.
func (s *scriptCaller) admit(args [][]byte) (cmd *Command, err error) {
	cmd = s.find(args)
	switch {
	case cmd == nil:
		return nil, errScriptUnknown
	case cmd.Run == nil, !cmd.arityOK(len(args)):
		return cmd, errScriptArity
	case cmd.Flags.Has(NoScript):
		return cmd, errScriptRefused
	}
	if err := s.outer.Session.permitScripted(cmd, args); err != nil {
		return cmd, err
	}
	switch {
	case s.readOnly && cmd.Flags.Has(Write|MayReplicate):
		return cmd, errScriptReadOnly
	}
	return cmd, s.checkMemoryAndReplicas(cmd)
}

// refuse is the reply to a call that was not admitted; cmd is nil if there is no such command.
func (s *scriptCaller) refuse(cmd *Command, err error) resp.Value {
	s.outer.Session.countRefusal(cmd, err)
	return resp.Error(err.Error())
}

// LoadScript finds or compiles a script. If the transaction is undone, the script leaves the cache again: SCRIPT EXISTS
// must not find it.
func (c *Call) LoadScript(source []byte) (*luaeval.Script, error) {
	scripts := c.Env().Scripts
	before := scripts.Len()
	script, err := scripts.Load(source)
	if err == nil && c.nested && scripts.Len() != before {
		c.Tx.OnUndo(func() { scripts.Forget(script) })
	}
	return script, err
}

// SetScript makes a script that of the call. The commands for read-only scripts refuse one that could have declared
// that it is read-only and did not.
func (c *Call) SetScript(script *luaeval.Script) error {
	if c.Cmd.Flags.Has(ReadOnly) && script.Flags.Has(luaeval.Declared) && !script.Flags.Has(luaeval.NoWrites) {
		return errScriptWrites
	}
	c.script = script
	return nil
}

// ExpectScript is SetScript for a function that may still be replaced before the call holds its shards.
func (c *Call) ExpectScript(script *luaeval.Script) { c.script = script }

// RunScript runs the call's script with the keys and arguments that follow their number, at argument 2. A script that
// turned out to use undeclared keys begins with all shards locked.
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

// scriptLocks are the shards that a prepared script begins with.
func scriptLocks(script *luaeval.Script, declared store.Locks) store.Locks {
	if script != nil && script.NeedsAllShards.IsSet() {
		return store.All
	}
	return declared
}
