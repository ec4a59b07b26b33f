package store

import (
	"math/rand/v2"
	"unsafe"

	"github.com/minilockd/minilockd/internal/num"
)

// Set is a set of members. As long as all are integers, and no more than the threshold, they are kept in ascending
// order; else short ones are packed in the order of their insertion, up to another threshold; beyond that it is a
// table. Redis 7.0 has no packed form, but for OBJECT ENCODING and DUMP that makes no other difference.
type Set struct {
	small packed // an intPack if form is setOfInts
	count int32  // members in small
	form  setForm
	// strict makes even the first integer beyond the threshold turn the set into a table.
	strict bool
	table  *setTable
	bound
}

// setForm says how the members of a set are kept. A set only ever moves on to a later form.
type setForm uint8

const (
	setOfInts setForm = iota
	setPacked
	setInTable
)

type setTable struct {
	members dict[struct{}]
	bytes   int // of the members
}

// NewSet returns an empty set.
func NewSet() *Set { return new(Set) }

// Len is the number of members.
func (s *Set) Len() int {
	if s.form == setInTable {
		return s.table.members.len()
	}
	return int(s.count)
}

// Has reports whether member belongs to the set.
func (s *Set) Has(member []byte) bool {
	switch s.form {
	case setOfInts:
		n, ok := num.ParseInt(member)
		if ok {
			_, ok = intPack(s.small).find(n)
		}
		return ok
	case setPacked:
		return s.small.find(member, 1) >= 0
	}
	return s.table.members.get(member) != nil
}

// Add puts a copy of member into the set and reports whether it is new.
func (s *Set) Add(member []byte) bool {
	if s.Has(member) {
		return false
	}
	isInt := false
	if s.form == setOfInts {
		var added bool
		if added, isInt = s.addInt(member); added {
			return true
		}
	}
	// Redis packs a set of integers for another member, but not for one more integer unless that is the first.
	switch fits := s.form != setInTable && s.fitsPacked(member) && (!isInt || s.count == 0 && !s.strict); {
	case fits && s.form == setOfInts:
		s.moveTo(setPacked)
	case !fits && s.form != setInTable:
		s.moveTo(setInTable)
	}
	s.append(member)
	return true
}

// fitsPacked reports whether a member may be added to the packed form.
func (s *Set) fitsPacked(member []byte) bool {
	t := s.thresholds()
	return int64(s.count) < t.SetEntries.Load() && int64(len(member)) <= t.SetValue.Load()
}

// addInt adds a member that is not there yet to a set of integers, unless that must not stay one, and reports whether
// the member is an integer.
func (s *Set) addInt(member []byte) (added, isInt bool) {
	n, ok := num.ParseInt(member)
	if !ok || int64(s.count) >= s.thresholds().SetInts.Load() {
		return false, ok
	}
	at, _ := intPack(s.small).find(n)
	s.small = packed(intPack(s.small).with(at, n))
	s.count++
	return true, true
}

// append adds a member that is not there yet, in a form other than integers.
func (s *Set) append(member []byte) {
	if s.form == setInTable {
		s.table.members.add(string(member), struct{}{})
		s.table.bytes += len(member)
		return
	}
	s.small = s.small.appended(member)
	s.count++
}

// moveTo puts the members into a later form.
func (s *Set) moveTo(form setForm) {
	old := *s
	*s = Set{form: form, bound: s.bound}
	if form == setInTable {
		s.table = new(setTable)
	}
	old.Each(func(member []byte) bool { s.append(member); return true })
}

// bind implements Value.
func (s *Set) bind(t *Thresholds) {
	if !s.rebind(t) {
		return
	}
	form := s.formFor()
	if form == s.form {
		return
	}
	old := *s
	*s = Set{form: form, bound: old.bound}
	switch form {
	case setOfInts:
		old.Each(func(member []byte) bool { s.addInt(member); return true })
		return
	case setInTable:
		s.table = new(setTable)
	}
	old.Each(func(member []byte) bool { s.append(member); return true })
}

// formFor is the first form that the thresholds allow for the members.
func (s *Set) formFor() setForm {
	t, count := s.thresholds(), int64(s.Len())
	ints, packed := count <= t.SetInts.Load(), count <= t.SetEntries.Load()
	longest := t.SetValue.Load()
	if ints || packed {
		s.Each(func(member []byte) bool {
			if ints && s.form != setOfInts {
				_, ints = num.ParseInt(member)
			}
			packed = packed && int64(len(member)) <= longest
			return ints || packed
		})
	}
	switch {
	case ints:
		return setOfInts
	case packed:
		return setPacked
	}
	return setInTable
}

// Remove takes a member out and reports whether it was there.
func (s *Set) Remove(member []byte) bool {
	switch s.form {
	case setOfInts:
		return s.removeInt(member)
	case setPacked:
		return s.removePacked(member)
	}
	if s.table.members.remove(member) == nil {
		return false
	}
	s.table.bytes -= len(member)
	return true
}

func (s *Set) removeInt(member []byte) bool {
	n, ok := num.ParseInt(member)
	if !ok {
		return false
	}
	at, found := intPack(s.small).find(n)
	if found {
		s.small = packed(intPack(s.small).without(at))
		s.count--
	}
	return found
}

func (s *Set) removePacked(member []byte) bool {
	off := s.small.find(member, 1)
	if off >= 0 {
		s.small = s.small.cut(off, s.small.skip(off, 1))
		s.count--
	}
	return off >= 0
}

// Each calls f with every member until it returns false. f must not change the set; a member must not be modified,
// and is valid until the set is changed.
func (s *Set) Each(f func(member []byte) bool) {
	switch s.form {
	case setOfInts:
		intPack(s.small).each(f)
	case setPacked:
		for off := 0; off < len(s.small); {
			member, next := s.small.at(off)
			if !f(member) {
				return
			}
			off = next
		}
	default:
		s.table.members.each(func(n *node[struct{}]) bool { return f(bytesOf(n.key)) })
	}
}

// Random returns a member chosen at random; the set must have one.
func (s *Set) Random() []byte {
	switch s.form {
	case setOfInts:
		return intPack(s.small).text(rand.IntN(s.Len()))
	case setPacked:
		member, _ := s.small.at(s.small.skip(0, rand.IntN(s.Len())))
		return member
	}
	return bytesOf(s.table.members.random().key)
}

// Sample calls f with count different members chosen at random, or with all where there are no more. The time is
// linear in count, and in the number of members where count is more than a third of them or the set is small.
func (s *Set) Sample(count int, f func(member []byte)) {
	if s.form == setInTable {
		s.table.members.sample(count, func(n *node[struct{}]) { f(bytesOf(n.key)) })
		return
	}
	pick := selection{wanted: count, left: s.Len()}
	s.Each(func(member []byte) bool {
		if pick.next() {
			f(member)
		}
		return pick.wanted > 0
	})
}

// Scan visits some members from cursor on and returns the next cursor, 0 when all were visited (see dict.scan). It
// stops once count members were visited; a small set is visited whole.
func (s *Set) Scan(cursor uint64, count int, f func(member []byte)) uint64 {
	if s.form == setInTable {
		return s.table.members.scanSome(cursor, count, func(n *node[struct{}]) { f(bytesOf(n.key)) })
	}
	s.Each(func(member []byte) bool { f(member); return true })
	return 0
}

// Packed reports whether all members are integers and kept as such (OBJECT ENCODING intset).
func (s *Set) Packed() bool { return s.form == setOfInts }

// Short reports whether the members are few and short, and not all integers (OBJECT ENCODING listpack since Redis 7.2).
func (s *Set) Short() bool { return s.form == setPacked }

// Type implements Value.
func (s *Set) Type() Type { return TypeSet }

// Clone implements Value.
func (s *Set) Clone() Value {
	c := &Set{small: s.small.clone(), count: s.count, form: s.form, bound: s.bound}
	if s.form == setInTable {
		c.small, c.table = nil, new(setTable)
		s.Each(func(member []byte) bool { c.append(member); return true })
	}
	return c
}

// Weight implements Value.
func (s *Set) Weight() int {
	size := int(unsafe.Sizeof(*s))
	if s.form == setInTable {
		return size + s.table.bytes + slotWeight*s.Len()
	}
	return size + len(s.small)
}
