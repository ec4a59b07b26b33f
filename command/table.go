package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/config"
)

// Table is all commands by name. It does not change, and is safe for concurrent use.
type Table struct {
	byName nameIndex
	sorted []*Command
	size   int // commands, subcommands included
	acl    *acl.Commands
}

// NewConfig returns the default settings of a server that has these commands.
func (t *Table) NewConfig() *config.Config { return config.New(t.acl) }

// Family is a group of commands, by the name that COMMAND DOCS gives it.
type Family struct {
	Group string
	Rows  []Command
}

// NewTable returns the table of the families' commands. It panics on a name that comes twice.
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

// aclCommands are the commands as the rules of users know them.
func aclCommands(commands []*Command) []*acl.Command {
	rules := make([]*acl.Command, len(commands))
	for i, c := range commands {
		c.rule = &acl.Command{Name: c.FullName(), Categories: c.ACLCategories(), Argument: 1, Exempt: c.Flags.Has(NoAuth)}
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

// enter gives a command or subcommand its group and its number.
func (t *Table) enter(cmd *Command, group string) {
	cmd.Group, cmd.Number = group, t.size
	t.size++
}

// All lists the commands by name.
func (t *Table) All() []*Command { return t.sorted }

// Lookup returns the command that args call, or the error that Redis answers; with an error about the number of words
// also the command. The command of a container without a subcommand is the container itself.
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

// Get returns the command of that name, or "container|subcommand", or nil.
func (t *Table) Get(name string) *Command {
	container, sub, nested := strings.Cut(name, "|")
	cmd := t.byName.find([]byte(container))
	if !nested || cmd == nil {
		return cmd
	}
	return cmd.index.find([]byte(sub))
}

// Each visits all commands, each container before its subcommands.
func (t *Table) Each(visit func(*Command)) {
	for _, cmd := range t.sorted {
		visit(cmd)
		for i := range cmd.Sub {
			visit(&cmd.Sub[i])
		}
	}
}
