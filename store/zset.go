package store

import (
	"math"
	"unsafe"
)

// ZSet is a sorted set: members with scores, ordered by score and, where scores are equal, by bytes. Few short members
// are packed; beyond the thresholds it is a table of the scores and a tree of the order.
//
// A rank is the number of elements before one. Ranges are ranks, the first included, the last not: see Span.
type ZSet struct {
	small scorePack
	big   *bigZSet // nil for as long as the members fit in small
	bound
}

type bigZSet struct {
	scores dict[float64]
	order  rankTree
	bytes  int // of the members
}

// rankWeight is roughly what the order takes for an element.
const rankWeight = 24

// NewZSet returns an empty sorted set.
func NewZSet() *ZSet { return new(ZSet) }

// NewZSetTable returns an empty sorted set that is a table, whatever its size, until it is stored under a key. It is
// for results, in which Redis, other than in small sets, keeps the sign of a zero.
func NewZSetTable() *ZSet { return &ZSet{big: newBigZSet()} }

func newBigZSet() *bigZSet { return &bigZSet{order: rankTree{root: new(rankNode)}} }

// bind implements Value.
func (z *ZSet) bind(t *Thresholds) {
	if !z.rebind(t) {
		return
	}
	switch fits := z.fits(); {
	case z.big == nil && !fits:
		z.unpack()
	case z.big != nil && fits:
		z.pack()
	}
}

// fits reports whether the set may be packed.
func (z *ZSet) fits() bool {
	t := z.thresholds()
	longest, fits := t.ZSetValue.Load(), int64(z.Len()) <= t.ZSetEntries.Load()
	if fits {
		z.Walk(z.All(), func(member []byte, _ float64) bool {
			fits = int64(len(member)) <= longest
			return fits
		})
	}
	return fits
}

// pack is the opposite of unpack.
func (z *ZSet) pack() {
	big := z.big
	z.big = nil
	big.order.root.walk(0, big.scores.len(), func(e rankEntry) bool {
		z.small.insert(bytesOf(e.n.key), e.score)
		return true
	})
}

// Len is the number of members.
func (z *ZSet) Len() int {
	if z.big != nil {
		return z.big.scores.len()
	}
	return z.small.count
}

// Score returns the score of a member.
func (z *ZSet) Score(member []byte) (score float64, ok bool) {
	if z.big != nil {
		n := z.big.scores.get(member)
		if n == nil {
			return 0, false
		}
		return n.val, true
	}
	off, _, score := z.small.find(member)
	return score, off >= 0
}

// Rank returns how many elements come before a member.
func (z *ZSet) Rank(member []byte) (rank int, ok bool) {
	if z.big == nil {
		off, rank, _ := z.small.find(member)
		return rank, off >= 0
	}
	n := z.big.scores.get(member)
	if n == nil {
		return 0, false
	}
	e := rankEntry{n.val, n}
	return z.big.order.search(func(o rankEntry) bool { return !o.before(e) }), true
}

// Set gives a member a score, which must not be NaN, and reports whether the member is new. The member is copied.
func (z *ZSet) Set(member []byte, score float64) (added bool) {
	return z.set(member, score, z.thresholds().ZSetValue.Load())
}

// Load is Set for a member that comes from a set which is packed elsewhere: it may be longer than the threshold.
func (z *ZSet) Load(member []byte, score float64) (added bool) {
	return z.set(member, score, math.MaxInt64)
}

// set is Set; a member longer than longest makes the set a table.
func (z *ZSet) set(member []byte, score float64, longest int64) (added bool) {
	if z.big == nil {
		off, _, _ := z.small.find(member)
		if off >= 0 {
			z.small.cut(off, 1)
			z.small.insert(member, score)
			return false
		}
		if int64(z.small.count) < z.thresholds().ZSetEntries.Load() && int64(len(member)) <= longest {
			z.small.insert(member, score)
			return true
		}
		z.unpack()
	}
	return z.big.set(member, score)
}

func (b *bigZSet) set(member []byte, score float64) (added bool) {
	n := b.scores.get(member)
	if added = n == nil; added {
		n = b.scores.add(string(member), score)
		b.bytes += len(member)
	} else {
		b.order.remove(rankEntry{n.val, n})
		n.val = score
	}
	b.order.insert(rankEntry{score, n})
	return added
}

// Unpack makes the sorted set of a key a skip list.
func (tx *Tx) Unpack(e Entry, z *ZSet) {
	if z.Packed() {
		tx.beforeChange(e.n)
		z.unpack()
	}
}

// Expect prepares the set for n members of up to longest bytes that are going to be added: it becomes a table if they
// are too many or too long to be packed, even if some are equal or are in it already.
func (z *ZSet) Expect(n, longest int) {
	t := z.thresholds()
	if z.Packed() && (int64(n) > t.ZSetEntries.Load() || int64(longest) > t.ZSetValue.Load()) {
		z.unpack()
	}
}

func (z *ZSet) unpack() {
	z.big = newBigZSet()
	z.small.walk(0, z.small.count, func(member []byte, score float64) bool { return z.big.set(member, score) })
	z.small = scorePack{}
}

// Delete removes a member and reports whether it was there.
func (z *ZSet) Delete(member []byte) bool {
	if z.big == nil {
		off, _, _ := z.small.find(member)
		if off >= 0 {
			z.small.cut(off, 1)
		}
		return off >= 0
	}
	n := z.big.scores.remove(member)
	if n == nil {
		return false
	}
	z.big.forget(n)
	return true
}

// forget takes a node that has left the table out of the order.
func (b *bigZSet) forget(n *node[float64]) {
	b.order.remove(rankEntry{n.val, n})
	b.bytes -= len(n.key)
}

// DeleteSpan removes the elements of a range.
func (z *ZSet) DeleteSpan(s Span) {
	if z.big == nil {
		z.small.cut(z.small.b.skip(0, s.Start), s.Len())
		return
	}
	nodes := make([]*node[float64], 0, s.Len())
	z.big.order.root.walk(s.Start, s.Stop, func(e rankEntry) bool {
		nodes = append(nodes, e.n)
		return true
	})
	for _, n := range nodes {
		z.big.forget(z.big.scores.remove(bytesOf(n.key)))
	}
}

// At returns the element of a rank.
func (z *ZSet) At(rank int) (member []byte, score float64) {
	z.Walk(Span{rank, rank + 1}, func(m []byte, s float64) bool { member, score = m, s; return true })
	return member, score
}

// Walk calls f for the elements of a range in their order until it returns false. f must not change the set; a member
// must not be modified, and is valid until the set is changed.
func (z *ZSet) Walk(s Span, f func(member []byte, score float64) bool) {
	if z.big == nil {
		z.small.walk(s.Start, s.Stop, f)
		return
	}
	z.big.order.root.walk(s.Start, s.Stop, func(e rankEntry) bool { return f(bytesOf(e.n.key), e.score) })
}

// WalkBack is Walk in the reverse order.
func (z *ZSet) WalkBack(s Span, f func(member []byte, score float64) bool) {
	if z.big == nil {
		z.small.walkBack(s.Start, s.Stop, f)
		return
	}
	z.big.order.root.walkBack(s.Start, s.Stop, func(e rankEntry) bool { return f(bytesOf(e.n.key), e.score) })
}

// Sample calls f with count different elements chosen at random, or with all where there are no more (see Set.Sample).
func (z *ZSet) Sample(count int, f func(member []byte, score float64)) {
	if z.big != nil {
		z.big.scores.sample(count, func(n *node[float64]) { f(bytesOf(n.key), n.val) })
		return
	}
	pick := selection{wanted: count, left: z.small.count}
	z.small.walk(0, z.small.count, func(member []byte, score float64) bool {
		if pick.next() {
			f(member, score)
		}
		return pick.wanted > 0
	})
}

// Scan visits some members from cursor on and returns the next cursor, 0 when all were visited (see dict.scan). It
// stops once count members were visited; a packed set is visited whole.
func (z *ZSet) Scan(cursor uint64, count int, f func(member []byte, score float64)) uint64 {
	if z.big == nil {
		z.small.walk(0, z.small.count, func(member []byte, score float64) bool { f(member, score); return true })
		return 0
	}
	return z.big.scores.scanSome(cursor, count, func(n *node[float64]) { f(bytesOf(n.key), n.val) })
}

// Packed reports whether the set is in its small form (OBJECT ENCODING listpack).
func (z *ZSet) Packed() bool { return z.big == nil }

// Type implements Value.
func (z *ZSet) Type() Type { return TypeZSet }

// Clone implements Value.
func (z *ZSet) Clone() Value {
	c := &ZSet{small: scorePack{z.small.b.clone(), z.small.count}, bound: z.bound}
	if z.big != nil {
		c.small, c.big = scorePack{}, newBigZSet()
		z.Walk(z.All(), c.big.set)
	}
	return c
}

// Weight implements Value.
func (z *ZSet) Weight() int {
	size := int(unsafe.Sizeof(*z))
	if z.big != nil {
		return size + z.big.bytes + (slotWeight+rankWeight)*z.Len()
	}
	return size + len(z.small.b)
}
