package command

import (
	"math"
	"strings"
)

// KeySpec is one key specification (Redis documentation: command key specifications): where some keys of a command
// are, and what becomes of them. A row has Specs where its Keys, which serve to lock, say less than Redis tells.
type KeySpec struct {
	Index   int    // the keys begin at this word, or
	Keyword string // behind this word, looked for from the word From on; with neither nobody can tell
	From    int

	Last  int  // how many words the last key is behind the first, -1 for all that follow
	Step  int  // from one key to the next; 0 is 1
	Limit int  // if above 1, only one in so many of the words that follow are keys
	Count bool // the first word is the number of keys, which follow it

	Access string // RO, RW, OW or RM, what for, and marks such as incomplete
	Note   string
}

// Unknown reports whether the keys can't be found by the specification.
func (s *KeySpec) Unknown() bool { return s.Index == 0 && s.Keyword == "" }

// AccessFlags is what becomes of the keys, by word.
func (s *KeySpec) AccessFlags() []string { return strings.Fields(s.Access) }

// KeySpecs are the row's specifications, or those that follow from its Keys.
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
		specs = append(specs, KeySpec{Index: k.Count, Count: true, Access: access.next()})
	}
	return specs
}

// KeyRange is the first and the last key and the step between them, as far as specifications that follow each other
// tell it by position: what clients asked for before there were specifications.
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

// lastIndex is the position of the last key; a negative one counts from the end.
func (s *KeySpec) lastIndex() int {
	if s.Last < 0 {
		return s.Last
	}
	return s.Index + s.Last
}
