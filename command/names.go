package command

import (
	"fmt"
)

// names finds commands by name in any letter case: a hash table with open addressing, whose hash takes a few letters
// of the name only, since every command of every client and of every script passes here.
type nameIndex struct {
	slots []*Command // length is zero or a power of two
	count int
}

// add enters a command. It panics on a name that comes twice.
func (x *nameIndex) add(cmd *Command) {
	if 2*x.count >= len(x.slots) {
		x.grow()
	}
	at := x.slot([]byte(cmd.Name))
	if x.slots[at] != nil {
		panic(fmt.Sprintf("command: %q is declared twice", cmd.Name))
	}
	x.slots[at] = cmd
	x.count++
}

func (x *nameIndex) grow() {
	old := x.slots
	x.slots = make([]*Command, max(4, 2*len(old)))
	for _, cmd := range old {
		if cmd != nil {
			x.slots[x.slot([]byte(cmd.Name))] = cmd
		}
	}
}

// find returns the command of that name, or nil.
func (x *nameIndex) find(name []byte) *Command {
	if len(name) == 0 || x.count == 0 {
		return nil
	}
	return x.slots[x.slot(name)]
}

// slot is where the name stands, or would.
func (x *nameIndex) slot(name []byte) uint {
	mask := uint(len(x.slots) - 1)
	at := nameHash(name) & mask
	for x.slots[at] != nil && !EqualFold(name, x.slots[at].Name) {
		at = (at + 1) & mask
	}
	return at
}

// nameHash is the same for any letter case.
func nameHash(name []byte) uint {
	const fold = 'a' - 'A'
	n := len(name)
	h := uint(n)
	for _, c := range [...]byte{name[0], name[n/3], name[n/2], name[n-1]} {
		h = h*31 + uint(c|fold)
	}
	return h ^ h>>7
}
