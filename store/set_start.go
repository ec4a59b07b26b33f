package store

import "github.com/minilockd/minilockd/internal/num"

// Which form an empty set begins with decides in which it ends, where the thresholds for integers and for packed
// members are far apart.

// StartsAsInts makes an empty set one of integers, however low their threshold is: the first one beyond it turns the
// set into a table. Without it, such a first integer is packed.
func (s *Set) StartsAsInts() *Set {
	s.strict = true
	return s
}

// StartsPacked makes an empty set pack integers, too. Settle ends that.
func (s *Set) StartsPacked() *Set {
	s.form = setPacked
	return s
}

// Settle turns a set whose members are all integers into a set of integers, unless they are too many.
func (s *Set) Settle() {
	if s.form != setOfInts && s.formFor() == setOfInts {
		old := *s
		*s = Set{bound: s.bound}
		old.Each(func(member []byte) bool { s.addInt(member); return true })
	}
}

// Expect prepares the set for n members that are going to be added, the first of which is given: it begins or goes on
// in a form that has room for all of them, even if some are equal.
func (s *Set) Expect(first []byte, n int) {
	t := s.thresholds()
	ints, packed := int64(n) <= t.SetInts.Load(), int64(n) <= t.SetEntries.Load()
	if s.Len() == 0 && s.form == setOfInts {
		_, isInt := num.ParseInt(first)
		switch {
		case isInt && ints:
		case packed:
			s.form = setPacked
		default:
			s.moveTo(setInTable)
		}
		return
	}
	if s.form == setOfInts && !ints || s.form == setPacked && !packed {
		s.moveTo(setInTable)
	}
}

// LoadPacked fills an empty set with the packed members of a payload: integers stay packed, and only their number
// counts for the threshold. next returns a member, and false behind the last one; LoadPacked reports false for one that
// comes twice.
func (s *Set) LoadPacked(next func() (member []byte, ok bool)) bool {
	s.form = setPacked
	for member, ok := next(); ok; member, ok = next() {
		if s.Has(member) {
			return false
		}
		s.append(member)
	}
	if int64(s.count) > s.thresholds().SetEntries.Load() {
		s.moveTo(setInTable)
	}
	return true
}

// StartsAsTable makes an empty set a table if it is going to have more members than a set of integers may have.
func (s *Set) StartsAsTable(members int) *Set {
	if int64(members) > s.thresholds().SetInts.Load() {
		s.moveTo(setInTable)
	}
	return s
}
