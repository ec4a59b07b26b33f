package admin

// FUNCTION and FCALL (Redis documentation: functions). The libraries are in luaeval, in memory only: they end with the
// server. A function may be replaced between Prepare, which finds the shards to lock, and Run; so runFunction finds it
// again under the lock of a shard, while no change of the libraries can run.

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval"
)

// libraryFlags are the flags of the commands that change libraries. They lock all shards (Keys is Whole). So within
// EXEC, where such a call can't be rolled back, the transaction never has to restart; and no library that has state
// between calls runs at the same time.
const libraryFlags = command.Write | command.NoScript

// functionCommands are FCALL and FUNCTION. FCALL holds a shard even without keys: see runFunction.
var functionCommands = []command.Command{
	{Name: "fcall", Usage: "function numkeys [key [key ...]] [arg [arg ...]]", Arity: -3,
		Flags: scriptFlags | command.HoldsShard, Keys: command.NumKeys(2), Since: "7.0.0", Specs: scriptKeySpecs,
		Summary: "Invokes a function.", Script: flagsOfFunction, Prepare: prepareFunction, Run: runFunction},
	{Name: "fcall_ro", Usage: "function numkeys [key [key ...]] [arg [arg ...]]", Arity: -3,
		Flags: scriptFlags | command.ReadOnly | command.HoldsShard, Keys: command.NumKeys(2), Since: "7.0.0",
		Specs:   scriptReadKeySpecs,
		Summary: "Invokes a read-only function.", Script: flagsOfFunction, Prepare: prepareFunction, Run: runFunction},
	{Name: "function", Arity: -2, Since: "7.0.0", Summary: "A container for function commands.", Sub: []command.Command{
		{Name: "delete", Usage: "library-name", Arity: 3, Flags: libraryFlags, Keys: command.Whole, Since: "7.0.0",
			Tips:    "request_policy:all_shards response_policy:all_succeeded",
			Summary: "Deletes a library and its functions.", Run: functionDelete},
		{Name: "dump", Arity: 2, Flags: command.NoScript, Since: "7.0.0",
			Summary: "Dumps all libraries into a serialized binary payload.", Run: functionDump},
		{Name: "flush", Usage: "[ASYNC | SYNC]", Arity: -2, Flags: libraryFlags, Keys: command.Whole,
			Since:   "7.0.0",
			Tips:    "request_policy:all_shards response_policy:all_succeeded",
			Summary: "Deletes all libraries and functions.", Run: functionFlush},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "7.0.0",
			Summary: "Returns helpful text about the different subcommands.", Run: command.Help},
		{Name: "kill", Arity: 2, Flags: command.NoScript | command.AllowBusy, Since: "7.0.0",
			Tips:    "request_policy:all_shards response_policy:one_succeeded",
			Summary: "Terminates a function during execution.", Run: killScript(true)},
		{Name: "list", Usage: "[LIBRARYNAME library-name-pattern] [WITHCODE]", Arity: -2, Flags: command.NoScript,
			Since: "7.0.0", Tips: "nondeterministic_output_order",
			Summary: "Returns information about all libraries.", Run: functionList},
		{Name: "load", Usage: "[REPLACE] function-code", Arity: -3, Flags: libraryFlags | command.DenyOOM,
			Keys: command.Whole, Since: "7.0.0", Tips: "request_policy:all_shards response_policy:all_succeeded",
			Summary: "Creates a library.", Run: functionLoad},
		{Name: "restore", Usage: "serialized-value [FLUSH | APPEND | REPLACE]", Arity: -3,
			Flags: libraryFlags | command.DenyOOM, Keys: command.Whole, Since: "7.0.0",
			Tips:    "request_policy:all_shards response_policy:all_succeeded",
			Summary: "Restores all libraries from a payload.", Run: functionRestore},
		{Name: "stats", Arity: 2, Flags: command.NoScript | command.AllowBusy, Since: "7.0.0",
			Tips:    "nondeterministic_output request_policy:all_shards response_policy:special",
			Summary: "Returns information about a function during execution.", Run: functionStats},
	}},
}

var (
	errNoFunction    = errors.New("ERR Function not found")
	errBadNumKeys    = errors.New("ERR Bad number of keys provided")
	errNoLibraryName = errors.New("ERR library name argument was not given")
	errFunctionFlush = errors.New("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
	errRestorePolicy = errors.New("ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.")
)

// errUnknownOption is the error of FUNCTION LOAD.
func errUnknownOption(word []byte) error {
	return words.Errorf("ERR Unknown option given: %s", word)
}

// errUnknownListArg is the error of FUNCTION LIST.
func errUnknownListArg(word []byte) error { return words.Errorf("ERR Unknown argument %s", word) }

// flagsOfFunction returns the declared flags of a function, none if it does not exist.
func flagsOfFunction(e *command.Env, name []byte) luaeval.Flags {
	if fn := e.Scripts.Functions.Get(name); fn != nil {
		return fn.Flags()
	}
	return 0
}

// prepareFunction sets the function, if it exists, so that the shards to lock are known. A missing function is no
// error yet: FUNCTION LOAD may have made it when runFunction runs.
func prepareFunction(c *command.Call) error {
	if fn := c.Env().Scripts.Functions.Get(c.Arg(1)); fn != nil {
		c.SetScriptUnchecked(fn)
	}
	return nil
}

// runFunction calls a function: FCALL and FCALL_RO function numkeys [key [key ...]] [arg [arg ...]]. It finds the
// function again, since another client may have replaced it since Prepare. A missing function is reported before a
// wrong numkeys, as in Redis. FCALL_RO is an error for a function without the flag no-writes.
func runFunction(c *command.Call) resp.Value {
	fn := c.Env().Scripts.Functions.Get(c.Arg(1))
	if fn == nil {
		return c.Fail(errNoFunction)
	}
	if err := checkNumKeys(c, errBadNumKeys); err != nil {
		return c.Fail(err)
	}
	if err := c.SetScript(fn); err != nil {
		return c.Fail(err)
	}
	if !c.HoldsKeys() { // the new function needs all shards
		c.Tx.Restart()
		return resp.None
	}
	return c.RunScript()
}

// functionLoad runs the source of a library, which registers its functions, and returns the name of the library:
// FUNCTION LOAD [REPLACE] function-code. Without REPLACE an existing library of that name is an error. A function name
// that another library has is an error in any case.
func functionLoad(c *command.Call) resp.Value {
	replace := false
	for i := 2; i < c.Len()-1; i++ {
		if !c.Is(i, "replace") {
			return c.Fail(errUnknownOption(c.Arg(i)))
		}
		replace = true
	}
	name, err := c.Env().Scripts.Functions.Load(string(c.Arg(c.Len()-1)), replace)
	if err != nil {
		return c.Fail(err)
	}
	c.Tx.CountChanges(1)
	return resp.BulkString(name)
}

// functionDelete deletes a library and its functions: FUNCTION DELETE library-name. A missing library is an error.
func functionDelete(c *command.Call) resp.Value {
	return okAndCount(c, c.Env().Scripts.Functions.Delete(string(c.Arg(2))))
}

// functionFlush deletes all libraries: FUNCTION FLUSH [ASYNC | SYNC]. With ASYNC many functions count as freed in the
// background.
func functionFlush(c *command.Call) resp.Value {
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSubcommandArity(c))
	case c.Len() == 3 && !c.Is(2, "async") && !c.Is(2, "sync"):
		return c.Fail(errFunctionFlush)
	}
	functions := c.Env().Scripts.Functions
	if _, n := functions.Count(); n > lazyFreeFrom && c.Is(2, "async") {
		if c.Does(emulate.ResetsFunctions) {
			n++ // the state of Lua
		}
		c.Session.Add(&c.Env().Stats.LazyFreed, int64(n))
	}
	functions.Flush()
	renewEngine(c)
	c.Tx.CountChanges(1)
	return resp.OK
}

// lazyFreeFrom is the number of functions beyond which FUNCTION FLUSH ASYNC counts them as freed in the background.
const lazyFreeFrom = 64

// functionDump returns all libraries as one payload for FUNCTION RESTORE: FUNCTION DUMP. It can be exchanged with
// Redis.
func functionDump(c *command.Call) resp.Value {
	return resp.Bulk(encodeLibraries(c.Env().Scripts.Functions.Libraries(), c.Env().Table.Server.RDB))
}

// functionRestore loads the libraries of a payload, all or none: FUNCTION RESTORE serialized-value [FLUSH | APPEND |
// REPLACE]. APPEND, the default, returns an error if a library exists; REPLACE replaces it; FLUSH first deletes all
// libraries.
func functionRestore(c *command.Call) resp.Value {
	policy := luaeval.RestoreAppend
	switch {
	case c.Len() > 4:
		return c.Fail(command.ErrSubcommandArity(c))
	case c.Len() == 3, c.Is(3, "append"):
	case c.Is(3, "replace"):
		policy = luaeval.RestoreReplace
	case c.Is(3, "flush"):
		policy = luaeval.RestoreFlush
	default:
		return c.Fail(errRestorePolicy)
	}
	sources, err := decodeLibraries(c.Arg(2), c.Env().Table.Server.RDB, c.Env().Config.UncheckedVersion())
	if err != nil {
		return c.Fail(err)
	}
	return okAndCount(c, c.Env().Scripts.Functions.Restore(sources, policy))
}

// okAndCount returns OK and counts a change, or the error. INFO shows the number of changes since the last save.
func okAndCount(c *command.Call, err error) resp.Value {
	if err == nil {
		c.Tx.CountChanges(1)
	}
	return c.FailOr(err, resp.OK)
}

// functionStats returns the numbers of libraries and functions, and the function that runs too long: FUNCTION STATS.
// While a script of EVAL runs too long, the reply is BUSY.
func functionStats(c *command.Call) resp.Value {
	awaitBusy(c)
	running := resp.Null
	if busy := c.Env().Scripts.Busy(); busy != nil {
		if busy.Function == "" {
			return c.Fail(c.Env().ErrBusy(busy))
		}
		running = resp.Map(
			resp.BulkString("name"), resp.BulkString(busy.Function),
			resp.BulkString("command"), resp.Strings(busy.CommandLine),
			resp.BulkString("duration_ms"), resp.Int(max(0, c.Tx.Time().Sub(busy.Since).Milliseconds())))
	}
	libraries, functions := c.Env().Scripts.Functions.Count()
	return resp.Map(
		resp.BulkString("running_script"), running,
		resp.BulkString("engines"), resp.Map(resp.BulkString("LUA"), resp.Map(
			resp.BulkString("libraries_count"), resp.Int(int64(libraries)),
			resp.BulkString("functions_count"), resp.Int(int64(functions)))))
}

// listOptions are the options of FUNCTION LIST.
type listOptions struct {
	pattern  []byte // nil for all
	withCode bool
}

// parseListOptions parses the options of FUNCTION LIST, each of which may be given once.
func parseListOptions(c *command.Call) (o listOptions, err error) {
	for i := 2; i < c.Len(); i++ {
		switch {
		case !o.withCode && c.Is(i, "withcode"):
			o.withCode = true
		case o.pattern != nil || !c.Is(i, "libraryname"):
			return o, errUnknownListArg(c.Arg(i))
		case i+1 == c.Len():
			return o, errNoLibraryName
		default:
			i++
			o.pattern = c.Arg(i)
		}
	}
	return o, nil
}

// functionList describes libraries: FUNCTION LIST [LIBRARYNAME library-name-pattern] [WITHCODE]. The pattern is
// compared in any letter case. WITHCODE adds the source.
func functionList(c *command.Call) resp.Value {
	o, err := parseListOptions(c)
	if err != nil {
		return c.Fail(err)
	}
	var libraries []resp.Value
	for _, lib := range c.Env().Scripts.Functions.Libraries() {
		if o.pattern == nil || glob.Match(strings.ToLower(string(o.pattern)), strings.ToLower(lib.Name)) {
			libraries = append(libraries, libraryInfo(lib, o.withCode))
		}
	}
	return resp.Array(libraries...)
}

// libraryInfo returns the map that describes a library.
func libraryInfo(lib *luaeval.Library, withCode bool) resp.Value {
	functions := make([]resp.Value, len(lib.Functions))
	for i, fn := range lib.Functions {
		functions[i] = functionInfo(fn)
	}
	fields := []resp.Value{
		resp.BulkString("library_name"), resp.BulkString(lib.Name),
		resp.BulkString("engine"), resp.BulkString("LUA"),
		resp.BulkString("functions"), resp.Array(functions...),
	}
	if withCode {
		fields = append(fields, resp.BulkString("library_code"), resp.BulkString(lib.Source))
	}
	return resp.Map(fields...)
}

// functionInfo returns the map that describes a function. Its SHA field is its name: scripts are identified by SHA1,
// functions by name.
func functionInfo(fn *luaeval.Function) resp.Value {
	description := resp.Null
	if fn.Description != nil {
		description = resp.BulkString(*fn.Description)
	}
	return resp.Map(
		resp.BulkString("name"), resp.BulkString(fn.Name),
		resp.BulkString("description"), description,
		resp.BulkString("flags"), statusSet(fn.Flags().Names()))
}
