package command

import (
	"slices"
	"strings"
)

// access returns the key specification flags of the key at a position, for a command whose row has Keys.Find.
func (c *Command) access(pos int) []string {
	specs := c.KeySpecs()
	access := specs[len(specs)-1].AccessFlags()
	if pos == c.Keys.First {
		access = specs[0].AccessFlags()
	}
	return slices.DeleteFunc(access, func(flag string) bool { return flag == "incomplete" || flag == "variable_flags" })
}

// specAccess splits a row's Access at its commas. The last part serves all further key specifications.
type specAccess struct{ rest string }

func (a *specAccess) next() string {
	first, rest, more := strings.Cut(a.rest, ", ")
	if more {
		a.rest = rest
	}
	return first
}
