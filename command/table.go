package command

import (
	"fmt"
	"slices"
)

// Table is all commands of a server by name. It does not change once made, and is safe for concurrent use.
type Table struct {
	byName map[string]*Command
	sorted []*Command
}

// family is a group of commands that live in one file or a few.
type family struct {
	group string
	rows  []Command
}

// NewTable gathers the families. It panics on a name that comes twice.
func NewTable() *Table {
	t := &Table{byName: make(map[string]*Command)}
	for _, f := range families() {
		for i := range f.rows {
			t.add(f.group, f.rows[i])
		}
	}
	slices.SortFunc(t.sorted, func(a, b *Command) int { return compareStrings(a.Name, b.Name) })
	return t
}

func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (t *Table) add(group string, row Command) {
	if t.byName[row.Name] != nil {
		panic(fmt.Sprintf("command: %q is declared twice", row.Name))
	}
	cmd := &row
	cmd.Group, cmd.counts = group, new(counts)
	if cmd.Sub != nil {
		cmd.Sub = slices.Clone(cmd.Sub)
		cmd.index = make(map[string]*Command, len(cmd.Sub))
	}
	for i := range cmd.Sub {
		sub := &cmd.Sub[i]
		sub.parent, sub.Group, sub.counts = cmd.Name, group, new(counts)
		cmd.index[sub.Name] = sub
	}
	t.byName[cmd.Name] = cmd
	t.sorted = append(t.sorted, cmd)
}

// All lists the commands by name.
func (t *Table) All() []*Command { return t.sorted }

// maxNameLength bounds what lookup folds; no command's name is longer.
const maxNameLength = 32

// lookup finds a name in any letter case without allocating.
func lookup(index map[string]*Command, name []byte) *Command {
	if len(name) > maxNameLength {
		return nil
	}
	var folded [maxNameLength]byte
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		folded[i] = c
	}
	return index[string(folded[:len(name)])]
}

// Lookup returns the command that args call, or the error that Redis answers; with an error about the number of words also
// the command. The command of a container without a subcommand is the container itself.
func (t *Table) Lookup(args [][]byte) (*Command, error) {
	cmd := lookup(t.byName, args[0])
	if cmd == nil {
		return nil, errUnknownCommand(args)
	}
	if cmd.index != nil && len(args) > 1 {
		sub := lookup(cmd.index, args[1])
		if sub == nil {
			return nil, errUnknownSubcommand(cmd, args[1])
		}
		cmd = sub
	}
	if !cmd.fits(len(args)) || cmd.Run == nil {
		return cmd, errArity(cmd)
	}
	return cmd, nil
}

// Get returns the command of that name, or "container|subcommand", or nil.
func (t *Table) Get(name string) *Command {
	for i := range len(name) {
		if name[i] == '|' {
			parent := lookup(t.byName, []byte(name[:i]))
			if parent == nil {
				return nil
			}
			return lookup(parent.index, []byte(name[i+1:]))
		}
	}
	return lookup(t.byName, []byte(name))
}
