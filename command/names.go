package command

// Every command of every client and script is found by name here, ignoring case. A map would need the name in lower
// case first. This hash table with open addressing hashes four letters, with their case bit set, and compares with
// EqualFold: no allocation and no copy. It is at most half full, so a search ends at an empty slot.

import (
	"fmt"
)

// nameIndex finds commands by name, ignoring case. It is not changed once the Table is built.
type nameIndex struct {
	slots []*Command // length is zero or a power of two
	count int
}

// add adds a command. It panics if the name is taken.
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

// find returns the command with that name, nil if there is none.
func (x *nameIndex) find(name []byte) *Command {
	if len(name) == 0 || x.count == 0 {
		return nil
	}
	return x.slots[x.slot(name)]
}

// slot returns the index of the slot of a name, or of the empty slot where it would be added.
func (x *nameIndex) slot(name []byte) uint {
	mask := uint(len(x.slots) - 1)
	at := nameHash(name) & mask
	for x.slots[at] != nil && !EqualFold(name, x.slots[at].Name) {
		at = (at + 1) & mask
	}
	return at
}

// nameHash hashes a name, which must not be empty, ignoring case.
func nameHash(name []byte) uint {
	const fold = 'a' - 'A'
	n := len(name)
	h := uint(n)
	for _, c := range [...]byte{name[0], name[n/3], name[n/2], name[n-1]} {
		h = h*31 + uint(c|fold)
	}
	return h ^ h>>7
}
