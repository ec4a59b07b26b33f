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
)

// Table holds all commands. It is immutable, and so safe for concurrent use.
type Table struct {
	byName nameIndex
	sorted []*Command // by name, without subcommands
	size   int        // number of commands and subcommands
	acl    *acl.Commands
}

// NewConfig returns the default configuration. It needs the commands for the ACL rules of users.
func (t *Table) NewConfig() *config.Config { return config.New(t.acl) }

// Family is a list of rows that belong to one group of COMMAND DOCS.
type Family struct {
	Group string
	Rows  []Command
}

// NewTable returns the table of all families. It panics if two commands have the same name.
func NewTable(families ...Family) *Table {
	t := new(Table)
	for _, f := range families {
		for i := range f.Rows {
			t.add(f.Group, f.Rows[i])
		}
	}
	slices.SortFunc(t.sorted, func(a, b *Command) int { return cmp.Compare(a.Name, b.Name) })
	t.acl = acl.NewCommands(Categories, aclCommands(t.sorted))
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

func (t *Table) add(group string, row Command) {
	cmd := &row
	t.enter(cmd, group)
	cmd.Sub = slices.Clone(cmd.Sub)
	for i := range cmd.Sub {
		sub := &cmd.Sub[i]
		sub.container = cmd
		t.enter(sub, group)
		cmd.index.add(sub)
	}
	t.byName.add(cmd)
	t.sorted = append(t.sorted, cmd)
}

// enter sets the group and the number of a command or subcommand.
func (t *Table) enter(cmd *Command, group string) {
	cmd.Group, cmd.Number = group, t.size
	t.size++
}

// All returns the commands sorted by name, without subcommands.
func (t *Table) All() []*Command { return t.sorted }

// Lookup returns the command or subcommand that args call, or the error reply. With an arity error it returns the
// command as well; for a container without a subcommand that is the container.
func (t *Table) Lookup(args [][]byte) (*Command, error) {
	cmd := t.byName.find(args[0])
	if cmd == nil {
		return nil, errUnknownCommand(args)
	}
	if cmd.Sub != nil && len(args) > 1 {
		sub := cmd.index.find(args[1])
		if sub == nil {
			return nil, errUnknownSubcommand(cmd, args[1])
		}
		cmd = sub
	}
	if !cmd.arityOK(len(args)) || cmd.Run == nil {
		return cmd, ErrArity(cmd)
	}
	return cmd, nil
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
