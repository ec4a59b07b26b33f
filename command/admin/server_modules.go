package admin

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// loadingModules are the flags of the commands that change which modules are loaded.
const loadingModules = command.Admin | command.NoScript | command.NoAsyncLoading

// moduleCommand is MODULE. No module can be loaded, as with the default of Redis, enable-module-command no. The rows
// have Unavailable set, so that the error comes before those of authentication and ACL.
var moduleCommand = command.Command{Name: "module", Arity: -2, Since: "4.0.0",
	Summary: "Commands about modules.", Sub: []command.Command{
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "list", Arity: 2, Flags: command.Admin | command.NoScript, Since: "4.0.0",
			Tips:    "nondeterministic_output_order",
			Summary: "Lists the modules: none.", Run: moduleList},
		{Name: "load", Usage: "path [arg [arg ...]]", Arity: -3, Flags: loadingModules, Since: "4.0.0",
			Summary: "Would load a module.", Run: noModules, Unavailable: errNoModules},
		{Name: "loadex", Usage: "path [CONFIG name value [CONFIG name value ...]] [ARGS arg [arg ...]]", Arity: -3,
			Flags: loadingModules, Since: "7.0.0",
			Summary: "Would load a module with parameters.", Run: noModules, Unavailable: errNoModules},
		{Name: "unload", Usage: "name", Arity: 3, Flags: loadingModules, Since: "4.0.0",
			Summary: "Would unload a module.", Run: noModules, Unavailable: errNoModules},
	}}

var errNoModules = errors.New("ERR MODULE command not allowed. " +
	`If the enable-module-command option is set to "local", ` +
	"you can run it from a local connection, otherwise you need to set this option in the configuration file, " +
	"and then restart the server.")

// moduleVersion is what MODULE LIST says of each module. Clients compare it only with other numbers.
const moduleVersion = 1

// moduleList lists the modules that the emulated server always has: MODULE LIST. The commands of families with a Module
// are those of this server alone; no client needs to know of them to talk to it.
func moduleList(c *command.Call) resp.Value { return resp.Array(engines(c)...) }

// module describes a module.
func module(name, path string) resp.Value {
	return resp.Map(resp.BulkString("name"), resp.BulkString(name),
		resp.BulkString("ver"), resp.Int(moduleVersion), resp.BulkString("path"), resp.BulkString(path),
		resp.BulkString("args"), resp.Array())
}

// engines returns the modules that the emulated server always has.
func engines(c *command.Call) []resp.Value {
	if c.Does(emulate.EnginesAreModules) {
		return []resp.Value{module("lua", "lua")}
	}
	return nil
}

// noModules replies that no module can be loaded.
func noModules(c *command.Call) resp.Value { return c.Fail(errNoModules) }
