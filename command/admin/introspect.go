package admin

// COMMAND and its subcommands reply with what the rows of the table say: introspect_info.go has COMMAND INFO,
// introspect_specs.go its key specifications, introspect_docs.go COMMAND DOCS, introspect_keys.go COMMAND GETKEYS.

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
)

// commandCommand is COMMAND, the only container that may be called without a subcommand.
var commandCommand = command.Command{Name: "command", Arity: -1, Flags: command.Loading | command.Stale,
	Categories: "connection", Since: "2.8.13",
	Tips:    "nondeterministic_output_order",
	Summary: "Tells how every command is called.", Run: commandAll, Sub: []command.Command{
		{Name: "count", Arity: 2, Flags: command.Loading | command.Stale, Categories: "connection", Since: "2.8.13",
			Summary: "Counts the commands.", Run: commandCount},
		{Name: "docs", Usage: "[command-name [command-name ...]]", Arity: -2, Flags: command.Loading | command.Stale,
			Categories: "connection", Since: "7.0.0", Tips: "nondeterministic_output_order",
			Summary: "Documents the given commands, or all.", Run: commandDocs},
		{Name: "getkeys", Usage: "<command arg [arg ...] {<7.2} | command [arg [arg ...]] {7.2}>", Arity: -4,
			Flags:      command.Loading | command.Stale,
			Categories: "connection", Since: "2.8.13",
			Changes: []command.Change{{Since: "7.2", Arity: -3}},
			Summary: "Finds the keys in the words of a command.", Run: commandGetKeys},
		{Name: "getkeysandflags", Usage: "<command arg [arg ...] {<7.2} | command [arg [arg ...]] {7.2}>", Arity: -4,
			Flags:      command.Loading | command.Stale,
			Categories: "connection", Since: "7.0.0",
			Changes: []command.Change{{Since: "7.2", Arity: -3}},
			Summary: "Finds the keys in the words of a command, and what it does with them.",
			Run:     commandGetKeysAndFlags},
		{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Categories: "connection", Since: "5.0.0",
			Summary: "Lists the subcommands.", Run: command.Help},
		{Name: "info", Usage: "[command-name [command-name ...]]", Arity: -2, Flags: command.Loading | command.Stale,
			Categories: "connection", Since: "2.8.13", Tips: "nondeterministic_output_order",
			Summary: "Tells how the given commands are called.", Run: commandInfo},
		{Name: "list", Usage: "[FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>]", Arity: -2,
			Flags: command.Loading | command.Stale, Categories: "connection", Since: "7.0.0",
			Tips:    "nondeterministic_output_order",
			Summary: "Lists the names of commands.", Run: commandList},
	}}

// commandCount returns the number of commands, without subcommands: COMMAND COUNT.
func commandCount(c *command.Call) resp.Value { return resp.Int(int64(len(c.Env().Table.All()))) }

// commandsNamed returns the commands with the names from argument i on, such as "get" or "config|get"; nil for an
// unknown name. Without names it is all commands.
func commandsNamed(c *command.Call, i int) []*command.Command {
	table := c.Env().Table
	if c.Len() == i {
		return table.All()
	}
	found := make([]*command.Command, 0, c.Len()-i)
	for _, name := range c.Rest(i) {
		found = append(found, table.Get(string(name)))
	}
	return found
}

// commandList returns names: COMMAND LIST [FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>].
// Subcommands are included as "config|get". An unknown category or module is no error; the list is then empty.
func commandList(c *command.Call) resp.Value {
	wanted, ok := listFilter(c)
	if !ok {
		return c.Fail(command.ErrSyntax)
	}
	return listCommands(c.Env().Table, wanted)
}

// listFilter parses FILTERBY; ok is false for a syntax error. There are no modules, so MODULE selects no command.
func listFilter(c *command.Call) (wanted func(*command.Command) bool, ok bool) {
	if c.Len() == 2 {
		return func(*command.Command) bool { return true }, true
	}
	if c.Len() != 5 || !c.Is(2, "filterby") {
		return nil, false
	}
	value := string(c.Arg(4))
	switch {
	case c.Is(3, "module"):
		return func(cmd *command.Command) bool { return value != "" && strings.EqualFold(cmd.Module, value) }, true
	case c.Is(3, "aclcat"):
		return func(cmd *command.Command) bool { return cmd.InCategory(value) }, true
	case c.Is(3, "pattern"):
		return func(cmd *command.Command) bool { return glob.Match(strings.ToLower(value), cmd.FullName()) }, true
	}
	return nil, false
}

// listCommands returns the full names of the wanted commands and subcommands, a container before its subcommands.
func listCommands(t *command.Table, wanted func(*command.Command) bool) resp.Value {
	var names []resp.Value
	t.Each(func(cmd *command.Command) {
		if wanted(cmd) {
			names = append(names, resp.BulkString(cmd.FullName()))
		}
	})
	return resp.Array(names...)
}
