package admin

// FUNCTION and FCALL. The libraries are in luaeval. A function may be replaced between Prepare, which finds the shards
// to lock, and Run; so runFunction looks it up again under a shard's lock, while no change of the libraries can run.

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval"
)

// libraryFlags are the flags of what changes the libraries. All shards are locked meanwhile (Whole): within EXEC,
// where such a call can't be undone, nothing has to run twice then, and a library that keeps something between calls
// is not running.
const libraryFlags = command.Write | command.NoScript

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

func errUnknownOption(word []byte) error {
	return words.Errorf("ERR Unknown option given: %s", word)
}

func errUnknownListArg(word []byte) error { return words.Errorf("ERR Unknown argument %s", word) }

// flagsOfFunction are those of a function, none if it is not there.
func flagsOfFunction(e *command.Env, name []byte) luaeval.Flags {
	if fn := e.Scripts.Functions.Get(name); fn != nil {
		return fn.Flags()
	}
	return 0
}

// prepareFunction tells the shards that the function begins with, if there is one.
func prepareFunction(c *command.Call) error {
	if fn := c.Env().Scripts.Functions.Get(c.Arg(1)); fn != nil {
		c.ExpectScript(fn)
	}
	return nil
}

// runFunction looks the function up again: an EXEC may have replaced it since Prepare.
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

func functionDelete(c *command.Call) resp.Value {
	return okAndCount(c, c.Env().Scripts.Functions.Delete(string(c.Arg(2))))
}

func functionFlush(c *command.Call) resp.Value {
	switch {
	case c.Len() > 3:
		return c.Fail(command.ErrSubcommandArity(c))
	case c.Len() == 3 && !c.Is(2, "async") && !c.Is(2, "sync"):
		return c.Fail(errFunctionFlush)
	}
	c.Env().Scripts.Functions.Flush()
	c.Tx.CountChanges(1)
	return resp.OK
}

func functionDump(c *command.Call) resp.Value {
	return resp.Bulk(encodeLibraries(c.Env().Scripts.Functions.Libraries()))
}

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
	sources, err := decodeLibraries(c.Arg(2))
	if err != nil {
		return c.Fail(err)
	}
	return okAndCount(c, c.Env().Scripts.Functions.Restore(sources, policy))
}

// okAndCount is failOr of a command that counts as a change.
func okAndCount(c *command.Call, err error) resp.Value {
	if err == nil {
		c.Tx.CountChanges(1)
	}
	return c.FailOr(err, resp.OK)
}

// functionStats tells how many libraries and functions there are, and which one runs too long.
func functionStats(c *command.Call) resp.Value {
	running := resp.Null
	if busy := c.Env().Scripts.Busy(); busy != nil {
		if busy.Function == "" {
			return c.Fail(command.ErrBusy(busy))
		}
		running = resp.Map(
			resp.BulkString("name"), resp.BulkString(busy.Function),
			resp.BulkString("command"), resp.Strings(busy.Words),
			resp.BulkString("duration_ms"), resp.Int(max(0, c.Tx.Time().Sub(busy.Since).Milliseconds())))
	}
	libraries, functions := c.Env().Scripts.Functions.Count()
	return resp.Map(
		resp.BulkString("running_script"), running,
		resp.BulkString("engines"), resp.Map(resp.BulkString("LUA"), resp.Map(
			resp.BulkString("libraries_count"), resp.Int(int64(libraries)),
			resp.BulkString("functions_count"), resp.Int(int64(functions)))))
}

// listOptions are the words of FUNCTION LIST.
type listOptions struct {
	pattern  []byte // nil for all
	withCode bool
}

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
