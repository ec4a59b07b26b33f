package command

// The table has all commands of the server and is built once per process, by package catalog. It is the only place
// where commands are found by name; all else about a command is in its row. The ACL's view of the commands is derived
// here as well, so that package acl need not know a Command.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
)

// Table holds all commands of one server. It is immutable, and so safe for concurrent use.
type Table struct {
	Server *emulate.Server
	byName nameIndex
	sorted []*Command // by name, without subcommands
	size   int        // number of commands and subcommands
	acl    *acl.Commands

	clientFields []clientField // of CLIENT LIST

	newHooks       func(*Env) Hooks // nil for none
	newReplication func(*Env) Replication
	newPersistence func(*Env) Persistence
	newSentinel    func(*Env) Sentinel // nil for a table without SENTINEL
}

// WithHooks returns the table, whose servers get the hooks that newHooks returns.
func (t *Table) WithHooks(newHooks func(*Env) Hooks) *Table {
	t.newHooks = newHooks
	return t
}

// WithReplication returns the table, whose servers get the part that newReplication returns.
func (t *Table) WithReplication(newReplication func(*Env) Replication) *Table {
	t.newReplication = newReplication
	return t
}

// WithPersistence returns the table, whose servers get the part that newPersistence returns.
func (t *Table) WithPersistence(newPersistence func(*Env) Persistence) *Table {
	t.newPersistence = newPersistence
	return t
}

// WithSentinel returns the table, whose servers are sentinels and get the part that newSentinel returns.
func (t *Table) WithSentinel(newSentinel func(*Env) Sentinel) *Table {
	t.newSentinel = newSentinel
	return t
}

// NewConfig returns the default configuration. It needs the commands for the ACL rules of users.
func (t *Table) NewConfig() *config.Config { return config.New(t.Server, t.acl) }

// Family is a list of rows that belong to one group of COMMAND DOCS, or to one module. Redis puts the commands of
// modules into the group "module".
type Family struct {
	Group  string
	Module string // "" for Redis' own commands
	Rows   []Command
}

// NewTable returns the table of the commands that a server has. It panics if two of them have the same name.
func NewTable(server *emulate.Server, families ...Family) *Table {
	t := &Table{Server: server, clientFields: clientFieldsOf(server)}
	for i := range families {
		f := &families[i]
		if f.Module != "" {
			f.Group = "module"
		}
		for i := range f.Rows {
			t.add(f, f.Rows[i])
		}
	}
	slices.SortFunc(t.sorted, func(a, b *Command) int { return cmp.Compare(a.Name, b.Name) })
	t.acl = acl.NewCommands(server, Categories, aclCommands(t.sorted))
	return t
}

// aclCommands returns the commands in the form that package acl needs.
func aclCommands(commands []*Command) []*acl.Command {
	rules := make([]*acl.Command, len(commands))
	for i, c := range commands {
		c.rule = &acl.Command{Name: c.FullName(), Categories: c.findCategories(), Argument: 1,
			Exempt: c.Flags.Has(NoAuth)}
		if c.container != nil {
			c.rule.Argument = 2
		}
		subs := make([]*Command, len(c.Sub))
		for i := range c.Sub {
			subs[i] = &c.Sub[i]
		}
		c.rule.Sub = aclCommands(subs)
		rules[i] = c.rule
	}
	return rules
}

// add adds a command with its subcommands, unless the server lacks it. The versions of modules are their own.
func (t *Table) add(f *Family, row Command) {
	if f.Module == "" && !t.Server.Has(row.Since) {
		return
	}
	cmd := &row
	t.enter(cmd, f)
	subs := cmd.Sub
	cmd.Sub = nil
	for i := range subs {
		if t.Server.Has(subs[i].Since) {
			cmd.Sub = append(cmd.Sub, subs[i])
		}
	}
	for i := range cmd.Sub {
		sub := &cmd.Sub[i]
		sub.container = cmd
		t.enter(sub, f)
		cmd.index.add(sub)
	}
	t.byName.add(cmd)
	t.sorted = append(t.sorted, cmd)
}

// enter sets the family's facts and the number of a command or subcommand.
func (t *Table) enter(cmd *Command, f *Family) {
	cmd.Group, cmd.Module, cmd.Number = f.Group, f.Module, t.size
	if f.Module != "" {
		cmd.Flags |= OfModule
	} else {
		cmd.becomeThatOf(t.Server)
	}
	t.size++
}

// All returns the commands sorted by name, without subcommands.
func (t *Table) All() []*Command { return t.sorted }

// find returns the command or subcommand that args call. Without a subcommand that is the container. cmd is nil if it
// is unknown, container as well if already the first name is.
func (t *Table) find(args [][]byte) (cmd, container *Command) {
	container = t.byName.find(args[0])
	if container == nil || container.Sub == nil || len(args) < 2 {
		return container, container
	}
	return container.index.find(args[1]), container
}

// Lookup returns the command or subcommand that args call, or the error reply. With an arity error it returns the
// command as well; for a container without a subcommand that is the container.
func (t *Table) Lookup(args [][]byte) (*Command, error) {
	switch cmd, container := t.find(args); {
	case container == nil:
		return nil, errUnknownCommand(args)
	case cmd == nil:
		return nil, errUnknownSubcommand(container, args[1])
	case !cmd.arityOK(len(args)) || cmd.Run == nil:
		return cmd, ErrArity(cmd)
	default:
		return cmd, nil
	}
}

// Get returns the command with a name such as "get" or "config|get", nil if there is none.
func (t *Table) Get(name string) *Command {
	container, sub, nested := strings.Cut(name, "|")
	cmd := t.byName.find([]byte(container))
	if !nested || cmd == nil {
		return cmd
	}
	return cmd.index.find([]byte(sub))
}

// Each calls visit for all commands and subcommands, a container before its subcommands.
func (t *Table) Each(visit func(*Command)) {
	for _, cmd := range t.sorted {
		visit(cmd)
		for i := range cmd.Sub {
			visit(&cmd.Sub[i])
		}
	}
}
