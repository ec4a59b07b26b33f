package command

import (
	"errors"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

const evaluating = NoScript | Stale | MovableKeys | NoMandatoryKeys | Escapes

var scriptingCommands = []Command{
	{Name: "eval", Usage: "script numkeys [key [key ...]] [arg [arg ...]]", Arity: -3, Flags: evaluating, Keys: NumKeys(2), Since: "2.6.0",
		Summary: "Executes a server-side Lua script.", Prepare: prepareSource, Run: eval(false)},
	{Name: "eval_ro", Usage: "script numkeys [key [key ...]] [arg [arg ...]]", Arity: -3, Flags: evaluating | ReadOnly, Keys: NumKeys(2), Since: "7.0.0",
		Summary: "Executes a read-only server-side Lua script.", Prepare: prepareSource, Run: eval(true)},
	{Name: "evalsha", Usage: "sha1 numkeys [key [key ...]] [arg [arg ...]]", Arity: -3, Flags: evaluating, Keys: NumKeys(2), Since: "2.6.0",
		Summary: "Executes a server-side Lua script by SHA1 digest.", Prepare: prepareSHA, Run: eval(false)},
	{Name: "evalsha_ro", Usage: "sha1 numkeys [key [key ...]] [arg [arg ...]]", Arity: -3, Flags: evaluating | ReadOnly, Keys: NumKeys(2), Since: "7.0.0",
		Summary: "Executes a read-only server-side Lua script by SHA1 digest.", Prepare: prepareSHA, Run: eval(true)},
	{Name: "script", Arity: -2, Since: "2.6.0", Summary: "A container for Lua scripts management commands.", Sub: []Command{
		{Name: "exists", Usage: "sha1 [sha1 ...]", Arity: -3, Flags: NoScript, Since: "2.6.0",
			Summary: "Determines whether server-side Lua scripts exist in the script cache.", Run: scriptExists},
		{Name: "flush", Usage: "[ASYNC | SYNC]", Arity: -2, Flags: NoScript, Since: "2.6.0",
			Summary: "Removes all server-side Lua scripts from the script cache.", Run: scriptFlush},
		{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "5.0.0",
			Summary: "Returns helpful text about the different subcommands.", Run: help},
		{Name: "kill", Arity: 2, Flags: NoScript | AllowBusy, Since: "2.6.0",
			Summary: "Terminates a server-side Lua script during execution.", Run: scriptKill},
		{Name: "load", Usage: "script", Arity: 3, Flags: NoScript | Stale, Since: "2.6.0",
			Summary: "Loads a server-side Lua script to the script cache.", Run: scriptLoad},
	}},
}

var (
	errNoScript       = errors.New("NOSCRIPT No matching script. Please use EVAL.")
	errNegativeKeys   = errors.New("ERR Number of keys can't be negative")
	errTooManyKeys    = errors.New("ERR Number of keys can't be greater than number of args")
	errScriptUnknown  = errors.New("ERR Unknown Redis command called from script")
	errScriptArity    = errors.New("ERR Wrong number of args calling Redis command from script")
	errScriptRefused  = errors.New("ERR This Redis command is not allowed from script")
	errScriptReadOnly = errors.New("ERR Write commands are not allowed from read-only scripts.")
)

// prepareSource finds or compiles the script of EVAL. It is done before any shard is locked.
func prepareSource(c *Call) error {
	if err := checkNumKeys(c); err != nil {
		return err
	}
	script, err := c.Env().Scripts.Load(c.Arg(1))
	c.script = script
	return err
}

// prepareSHA finds the script of EVALSHA.
func prepareSHA(c *Call) error {
	if len(c.Arg(1)) != luaeval.SHALength {
		return errNoScript
	}
	if err := checkNumKeys(c); err != nil {
		return err
	}
	if c.script = c.Env().Scripts.Get(c.Arg(1)); c.script == nil {
		return errNoScript
	}
	return nil
}

func checkNumKeys(c *Call) error {
	n, ok := num.ParseInt(c.Arg(2))
	switch {
	case !ok:
		return errNotInteger
	case n > int64(c.Len()-3):
		return errTooManyKeys
	case n < 0:
		return errNegativeKeys
	}
	return nil
}

// eval runs the prepared script. A script that turned out to use undeclared keys begins with the whole keyspace locked.
func eval(readOnly bool) func(*Call) resp.Value {
	return func(c *Call) resp.Value {
		s := c.Session
		if s.lua == nil {
			s.lua = new(scriptCaller)
		}
		s.lua.outer, s.lua.readOnly = c, readOnly
		s.lua.fate.Store(fresh)
		defer c.Tx.Select(c.Tx.DB())
		n := 3 + c.Cmd.Keys.counted(c.Args)
		return c.Env().Scripts.Run(c.script, c.Args[3:n], c.Args[n:], s.lua)
	}
}

// scriptCaller runs the commands of a script within the transaction of the call that runs the script.
type scriptCaller struct {
	outer    *Call
	inner    Call
	readOnly bool
	fate     atomic.Uint32 // fresh, wrote or killed
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

// Call implements luaeval.Caller.
func (s *scriptCaller) Call(args [][]byte) resp.Value {
	cmd, err := s.admit(args)
	if err != nil {
		return resp.Error(err.Error())
	}
	if cmd.Flags.has(Write) && !s.mayWrite() {
		return resp.None // it is about to be stopped
	}
	s.inner = Call{Tx: s.outer.Tx, Cmd: cmd, Args: args, Session: s.outer.Session}
	v := s.inner.within()
	if s.outer.Tx.Escaped() {
		s.outer.script.Outside.Set()
	}
	return v
}

// Abandoned implements luaeval.Caller.
func (s *scriptCaller) Abandoned() bool { return s.outer.Tx.Escaped() }

// admit decides whether a script may call a command. Its refusals are worded otherwise than those to a client.
func (s *scriptCaller) admit(args [][]byte) (*Command, error) {
	table := s.outer.Env().Table
	cmd := lookup(table.byName, args[0])
	if cmd == nil {
		return nil, errScriptUnknown
	}
	if cmd.index != nil {
		if len(args) < 2 {
			return nil, errScriptArity
		}
		if cmd = lookup(cmd.index, args[1]); cmd == nil {
			return nil, errScriptUnknown
		}
	}
	switch {
	case !cmd.fits(len(args)):
		return nil, errScriptArity
	case cmd.Flags.has(NoScript):
		return nil, errScriptRefused
	case s.readOnly && cmd.Flags.has(Write):
		return nil, errScriptReadOnly
	}
	return cmd, nil
}

func scriptKill(c *Call) resp.Value {
	if err := c.Env().Scripts.Kill(); err != nil {
		return c.Fail(err)
	}
	return resp.OK
}

func scriptLoad(c *Call) resp.Value {
	script, err := c.Env().Scripts.Load(c.Arg(2))
	if err != nil {
		return c.Fail(err)
	}
	return resp.BulkString(script.SHA)
}

func scriptExists(c *Call) resp.Value {
	found := make([]resp.Value, 0, c.Len()-2)
	for _, sha := range c.Rest(2) {
		found = append(found, resp.Flag(c.Env().Scripts.Get(sha) != nil))
	}
	return resp.Array(found...)
}

func scriptFlush(c *Call) resp.Value {
	if c.Len() > 3 || c.Len() == 3 && !c.Is(2, "async") && !c.Is(2, "sync") {
		return resp.Error("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
	}
	c.Env().Scripts.Flush()
	return resp.OK
}

// scriptLocks are the shards that a prepared script begins with.
func scriptLocks(script *luaeval.Script, declared store.Locks) store.Locks {
	if script != nil && script.Outside.IsSet() {
		return store.All
	}
	return declared
}
