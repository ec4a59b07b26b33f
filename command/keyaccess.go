package command

import (
	"slices"
	"strings"
)

// access tells what becomes of the key at a position, for a command that Finds its keys: RO, RW, OW or RM, and what
// for.
func (c *Command) access(pos int) []string {
	specs := c.KeySpecs()
	access := specs[len(specs)-1].AccessFlags()
	if pos == c.Keys.First {
		access = specs[0].AccessFlags()
	}
	return slices.DeleteFunc(access, func(word string) bool { return word == "incomplete" })
}

// specAccess hands out a row's Access, specification by specification: the last part is for all that follow.
type specAccess struct{ rest string }

func (a *specAccess) next() string {
	first, rest, more := strings.Cut(a.rest, ", ")
	if more {
		a.rest = rest
	}
	return first
}
