package admin

// EVAL, EVALSHA and SCRIPT. A script is found and compiled in Prepare, before its shards are locked: compiling is slow,
// and the script says whether it needs all shards. Call.RunScript (command/scripting_caller.go) runs it.

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval"
)

// scriptFlags are the flags of EVAL and FCALL. They may use keys that they do not declare, so their transaction may
// restart (MayRestart).
const scriptFlags = command.NoScript | command.Stale | command.SkipMonitor | command.MovableKeys |
	command.NoMandatoryKeys | command.MayRestart

// The key specifications of EVAL and FCALL, with the notes of Redis: what a script does with its keys is not known.
var (
	scriptKeySpecs = []command.KeySpec{{Index: 2, Count: true, Access: "RW access update",
		Note: "We cannot tell how the keys will be used so we assume the worst, RW and UPDATE"}}
	scriptReadKeySpecs = []command.KeySpec{{Index: 2, Count: true, Access: "RO access",
		Note: "We cannot tell how the keys will be used so we assume the worst, RO and ACCESS"}}
)

var scriptingCommands = slices.Concat(evalCommands, functionCommands)

// evalCommands are EVAL, EVALSHA and SCRIPT. The _RO variants are of the flag readonly; they may only run scripts that
// do not write.
var evalCommands = []command.Command{
	{Name: "eval", Usage: "script numkeys [key [key ...]] [arg [arg ...]]", Arity: -3, Flags: scriptFlags,
		Keys: command.NumKeys(2), Since: "2.6.0", Specs: scriptKeySpecs,
		Summary: "Executes a server-side Lua script.", Script: flagsOfSource, Prepare: prepareSource,
		Run: (*command.Call).RunScript},
	{Name: "eval_ro", Usage: "script numkeys [key [key ...]] [arg [arg ...]]", Arity: -3,
		Flags: scriptFlags | command.ReadOnly, Keys: command.NumKeys(2), Since: "7.0.0", Specs: scriptReadKeySpecs,
		Summary: "Executes a read-only server-side Lua script.", Script: flagsOfSource, Prepare: prepareSource,
		Run: (*command.Call).RunScript},
	{Name: "evalsha", Usage: "sha1 numkeys [key [key ...]] [arg [arg ...]]", Arity: -3, Flags: scriptFlags,
		Keys: command.NumKeys(2), Since: "2.6.0", Access: "RW access update",
		Summary: "Executes a server-side Lua script by SHA1 digest.", Script: flagsOfSHA, Prepare: prepareSHA,
		Run: (*command.Call).RunScript},
	{Name: "evalsha_ro", Usage: "sha1 numkeys [key [key ...]] [arg [arg ...]]", Arity: -3,
		Flags: scriptFlags | command.ReadOnly, Keys: command.NumKeys(2), Since: "7.0.0", Access: "RO access",
		Summary: "Executes a read-only server-side Lua script by SHA1 digest.", Script: flagsOfSHA, Prepare: prepareSHA,
		Run: (*command.Call).RunScript},
	{Name: "script", Arity: -2, Since: "2.6.0",
		Summary: "A container for Lua scripts management commands.", Sub: []command.Command{
			{Name: "debug", Usage: "<YES | SYNC | NO> [engine]{valkey-9.1}", Arity: 3, Flags: command.NoScript, Since: "3.2.0",
				Changes: []command.Change{{Since: "valkey-9.1", Arity: -3}},
				Summary: "Sets the debug mode of server-side Lua scripts. Only NO is supported.", Run: scriptDebug},
			{Name: "exists", Usage: "sha1 [sha1 ...]", Arity: -3, Flags: command.NoScript, Since: "2.6.0",
				Tips:    "request_policy:all_shards response_policy:agg_logical_and",
				Changes: []command.Change{{Since: "valkey-9.1", Gains: command.Stale}},
				Summary: "Determines whether server-side Lua scripts exist in the script cache.", Run: scriptExists},
			{Name: "flush", Usage: "[ASYNC | SYNC]", Arity: -2, Flags: command.NoScript, Keys: command.Whole,
				Since:   "2.6.0",
				Tips:    "request_policy:all_nodes response_policy:all_succeeded",
				Changes: []command.Change{{Since: "valkey-9.1", Gains: command.Stale}},
				Summary: "Removes all server-side Lua scripts from the script cache.", Run: scriptFlush},
			{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
				Summary: "Returns helpful text about the different subcommands.", Run: command.Help},
			{Name: "kill", Arity: 2, Flags: command.NoScript | command.AllowBusy, Since: "2.6.0",
				Tips:    "request_policy:all_shards response_policy:one_succeeded",
				Summary: "Terminates a server-side Lua script during execution.", Run: killScript(false)},
			{Name: "load", Usage: "script", Arity: 3, Flags: command.NoScript | command.Stale, Since: "2.6.0",
				Tips:    "request_policy:all_nodes response_policy:all_succeeded",
				Summary: "Loads a server-side Lua script to the script cache.", Run: scriptLoad},
			{Name: "show", Usage: "sha1", Arity: 3, Flags: command.NoScript, Since: "valkey-8.0.0",
				Changes: []command.Change{{Since: "valkey-9.1", Gains: command.Stale}},
				Summary: "Returns the source of a script in the script cache.", Run: scriptShow},
		}},
}

var (
	errNoScript     = errors.New("NOSCRIPT No matching script.")
	errNoScriptUse  = errors.New("NOSCRIPT No matching script. Please use EVAL.")
	errNegativeKeys = errors.New("ERR Number of keys can't be negative")
	errTooManyKeys  = errors.New("ERR Number of keys can't be greater than number of args")
)

// flagsOfSource returns the flags in the first line of a script, "#!lua flags=…", without compiling it.
func flagsOfSource(e *command.Env, source []byte) luaeval.Flags { return e.Scripts.FlagsOf(source) }

// flagsOfSHA returns the flags of a script in the cache, none if it is not there.
func flagsOfSHA(e *command.Env, sha []byte) luaeval.Flags {
	if script := e.Scripts.Get(sha); script != nil {
		return script.Flags()
	}
	return 0
}

// prepareSource finds or compiles the script of EVAL and EVAL_RO script numkeys [key [key ...]] [arg [arg ...]]. A
// wrong numkeys is reported before an error of the compiler, and then the script does not enter the cache.
func prepareSource(c *command.Call) error {
	if err := checkNumKeys(c, command.ErrNotInteger); err != nil {
		return err
	}
	script, err := c.LoadScript(c.Arg(1), c.Env().Scripts.Evaluate)
	if err != nil {
		return err
	}
	return c.SetScript(script)
}

// prepareSHA finds the script of EVALSHA and EVALSHA_RO sha1 numkeys [key [key ...]] [arg [arg ...]]. A SHA1 of a
// wrong length is reported as NOSCRIPT even if numkeys is wrong, too, as in Redis.
func prepareSHA(c *command.Call) error {
	if len(c.Arg(1)) != luaeval.SHALength {
		return errMissingScript(c)
	}
	if err := checkNumKeys(c, command.ErrNotInteger); err != nil {
		return err
	}
	script := c.Env().Scripts.GetRecent(c.Session.RecentScripts(), c.Arg(1))
	if script == nil {
		return errMissingScript(c)
	}
	return c.SetScript(script)
}

// errMissingScript is the error of EVALSHA for a script that is not in the cache.
func errMissingScript(c *command.Call) error {
	if c.Does(emulate.ShortNoScript) {
		return errNoScript
	}
	return errNoScriptUse
}

// checkNumKeys checks numkeys, argument 2; notInteger is the error if it is not an integer.
func checkNumKeys(c *command.Call, notInteger error) error {
	n, ok := num.ParseInt(c.Arg(2))
	switch {
	case !ok:
		return notInteger
	case n > int64(c.Len()-3):
		return errTooManyKeys
	case n < 0:
		return errNegativeKeys
	}
	return nil
}

// killScript returns the handler of SCRIPT KILL or FUNCTION KILL: an error if nothing runs, UNKILLABLE if the script
// has written. Each of the two returns BUSY while it is the other kind that runs too long.
func killScript(function bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		awaitBusy(c)
		if busy := c.Env().Scripts.Busy(); busy != nil && (busy.Function != "") != function {
			return c.Fail(c.Env().ErrBusy(busy))
		}
		if err := c.Env().Scripts.Kill(); err != nil {
			return c.Fail(err)
		}
		return resp.OK
	}
}

// awaitBusy waits until a running script ends or exceeds busy-reply-threshold. Commands about the script that runs call
// it first: Redis can't serve them before.
func awaitBusy(c *command.Call) {
	if !c.Nested() && c.Env().Config.BusyAfter() > 0 {
		c.Env().Scripts.AwaitBusy()
	}
}

// scriptDebug accepts NO, which is the only mode here: SCRIPT DEBUG <YES | SYNC | NO>. As in Redis it is an error
// while replies to earlier commands are pending.
func scriptDebug(c *command.Call) resp.Value {
	switch {
	case c.Nested(), len(c.Session.Out) > 0, c.Session.Pending() > 0:
		return resp.Error("ERR SCRIPT DEBUG must be called outside a pipeline")
	case c.Is(2, "no"):
		return resp.OK
	case c.Is(2, "yes"), c.Is(2, "sync"):
		return resp.Error("ERR this server has no Lua debugger")
	}
	return resp.Error("ERR Use SCRIPT DEBUG YES/SYNC/NO")
}

// scriptLoad compiles a script, puts it into the cache and returns its SHA1: SCRIPT LOAD script. The cache is not
// saved, and has no limit for scripts that were loaded so.
func scriptLoad(c *command.Call) resp.Value {
	script, err := c.LoadScript(c.Arg(2), c.Env().Scripts.Load)
	if err != nil {
		return c.Fail(err)
	}
	return resp.BulkString(script.SHA)
}

// scriptShow returns the source of a script in the cache: SCRIPT SHOW sha1.
func scriptShow(c *command.Call) resp.Value {
	script := c.Env().Scripts.Get(c.Arg(2))
	if script == nil {
		return c.Fail(errNoScript)
	}
	return resp.BulkString(script.Source())
}

// scriptExists returns 1 or 0 for each SHA1: SCRIPT EXISTS sha1 [sha1 ...]. A word that can't be a SHA1 is 0.
func scriptExists(c *command.Call) resp.Value {
	found := make([]resp.Value, 0, c.Len()-2)
	for _, sha := range c.Rest(2) {
		found = append(found, resp.Flag(c.Env().Scripts.Get(sha) != nil))
	}
	return resp.Array(found...)
}

// scriptFlush removes all scripts from the cache: SCRIPT FLUSH [ASYNC | SYNC]. It holds all shards, so no script runs
// in the meantime.
func scriptFlush(c *command.Call) resp.Value {
	if c.Len() > 3 || c.Len() == 3 && !c.Is(2, "async") && !c.Is(2, "sync") {
		return resp.Error("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
	}
	c.Env().Scripts.Flush()
	renewEngine(c)
	return resp.OK
}

// renewEngine makes the engine of scripts, if it is a module, read its configuration when its state is made anew.
func renewEngine(c *command.Call) {
	if c.Does(emulate.EnginesAreModules) {
		c.CallByServer("CONFIG", "GET", "lua-enable-insecure-api")
	}
}
