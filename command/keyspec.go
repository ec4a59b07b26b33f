package command

import (
	"math"
	"strings"
)

// KeySpec is a key specification (Redis documentation: command key specifications), which COMMAND INFO shows. A row has
// Specs only where they do not follow from its Keys.
type KeySpec struct {
	// Begin search: at argument Index, or after the first argument equal to Keyword, searched from argument From on. If
	// both are unset, the specification is of type unknown.
	Index   int
	Keyword string
	From    int

	// Find keys, as for a range: Last is the distance of the last key from the first, negative counts from the last
	// argument. A Step of 0 is 1. With Limit n above 1, only an n-th of the arguments are keys.
	Last  int
	Step  int
	Limit int
	Count bool // the type is keynum instead: the first argument is numkeys

	Access string // the flags: RO, RW, OW or RM; access, insert, update or delete; not_key, incomplete
	Note   string
}

// Unknown reports whether the specification does not say where the keys are.
func (s *KeySpec) Unknown() bool { return s.Index == 0 && s.Keyword == "" }

// AccessFlags returns the flags, one by one.
func (s *KeySpec) AccessFlags() []string { return strings.Fields(s.Access) }

// KeySpecs returns the row's Specs, or those that follow from its Keys and Access.
func (c *Command) KeySpecs() []KeySpec {
	if c.Specs != nil {
		return c.Specs
	}
	k, access := c.Keys, specAccess{c.Access}
	var specs []KeySpec
	switch {
	case k.First == 0:
	case k.Last > k.First:
		for pos := k.First; pos <= k.Last; pos += k.Step {
			specs = append(specs, KeySpec{Index: pos, Step: k.Step, Access: access.next()})
		}
	default:
		specs = append(specs, KeySpec{Index: k.First, Last: min(k.Last, 0), Step: k.Step, Access: access.next()})
	}
	if k.Count > 0 {
		specs = append(specs, KeySpec{Index: k.Count, Count: true, Step: k.Step, Access: access.next()})
	}
	return specs
}

// KeyRange returns the legacy range of COMMAND INFO: first key, last key and step. As in Redis
// (populateCommandLegacyRangeSpec) it covers specifications by index that are adjacent; zeros if there are none.
func (c *Command) KeyRange() (first, last, step int) {
	specs := c.KeySpecs()
	if len(specs) == 1 && specs[0].Index > 0 && !specs[0].Count {
		s := specs[0]
		return s.Index, s.lastIndex(), max(s.Step, 1)
	}
	first = math.MaxInt
	for _, s := range specs {
		if s.Index == 0 || s.Count || s.Step > 1 || last != 0 && last != s.Index-1 {
			continue
		}
		first, last, step = min(first, s.Index), s.lastIndex(), 1
	}
	if last == 0 {
		return 0, 0, 0
	}
	return first, last, step
}

// lastIndex returns the position of the last key; negative counts from the end.
func (s *KeySpec) lastIndex() int {
	if s.Last < 0 {
		return s.Last
	}
	return s.Index + s.Last
}
