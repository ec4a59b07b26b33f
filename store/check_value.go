package store

import (
	"bytes"
	"encoding/binary"
	"math"
)

// The invariants of strings, hashes, lists, sets and sorted sets. How many elements a small form may have is not
// among them where CONFIG SET can lower that: a value takes notice when something is added to it.

// value checks what a key holds.
func (c *checker) value(v Value) {
	switch v := v.(type) {
	case *String:
		c.require(len(v.b) <= MaxStringSize, "a string of %d bytes", len(v.b))
	case *Hash:
		c.hash(v)
	case *List:
		c.list(v)
	case *Set:
		c.set(v)
	case *ZSet:
		c.zset(v)
	case *Stream:
		c.stream(v)
	}
}

// packed returns the elements of a packed sequence, or nil if it is broken.
func (c *checker) packed(p packed) (elems [][]byte) {
	for off := 0; off < len(p); {
		n, w := binary.Uvarint(p[off:])
		if w <= 0 || n > uint64(len(p)-off-w) {
			c.require(false, "a packed element at offset %d reaches beyond the end", off)
			return nil
		}
		off += w
		elems = append(elems, p[off:off+int(n)])
		off += int(n)
	}
	return elems
}

// unique checks that every stride-th of some elements comes once.
func (c *checker) unique(elems [][]byte, stride int) {
	seen := make(map[string]bool)
	for i := 0; i < len(elems); i += stride {
		c.require(!seen[string(elems[i])], "%q is there twice", elems[i])
		seen[string(elems[i])] = true
	}
}

func (c *checker) hash(h *Hash) {
	if t := h.table(); t != nil {
		c.require(h.small == nil, "a hash is both packed and a table")
		checkDict(c, &t.dict)
		bytes := 0
		t.each(func(n *node[[]byte]) bool { bytes += len(n.key) + len(n.val); return true })
		c.require(bytes == t.bytes, "%d bytes in a hash, %d found", t.bytes, bytes)
	} else {
		elems := c.packed(h.small)
		c.require(len(elems)%2 == 0, "a packed hash has a field without a value")
		c.unique(elems, 2)
	}
	if c.err != nil {
		return
	}
	c.require(h.Len() > 0, "an empty hash is stored")
	if h.deadlines() != nil {
		c.deadlines(h)
	}
}

// deadlines checks the deadlines of the fields of a hash.
func (c *checker) deadlines(h *Hash) {
	d := h.deadlines()
	checkDict(c, &d.fields)
	c.require(len(d.ordered) > 0, "a hash has a list of deadlines, and none in it")
	fields, deadlines := d.fields.len(), len(d.ordered)
	c.require(fields == deadlines, "%d fields with deadlines, %d deadlines", fields, deadlines)
	for i, e := range d.ordered {
		field := bytesOf(e.field.key)
		c.require(d.fields.get(field) == e.field && e.field.val == i, "the deadline of field %q is misplaced", field)
		c.require(h.Holds(field), "a deadline of field %q, which is not there", field)
		c.require(d.ordered[max(0, (i-1)/2)].when <= e.when, "the deadline of field %q is out of order", field)
	}
	if c.err == nil {
		c.order(h)
	}
}

// order checks that a packed hash has its fields in the order of their deadlines.
func (c *checker) order(h *Hash) {
	last := int64(0)
	h.eachStored(func(field, _ []byte) bool {
		when, expires := h.ExpireAt(field)
		if !expires {
			when = never
		}
		c.require(!h.Packed() || last <= when, "field %q of a packed hash is out of order", field)
		last = when
		return true
	})
}

func (c *checker) list(l *List) {
	c.require(l.in == c.thresholds, "a list does not know the thresholds of its store")
	c.require(l.count > 0, "an empty list is stored")
	for _, before := range l.chunks[:l.first] {
		c.require(before.buf == nil && before.count == 0, "a chunk before the first is in use")
	}
	count, bytes := 0, 0
	for i := range l.live() {
		chunk := &l.live()[i]
		c.chunk(chunk)
		count += int(chunk.count)
		bytes += chunk.used()
	}
	c.require(count == l.count, "%d elements in a list, %d found", l.count, count)
	c.require(bytes == l.bytes, "%d bytes in a list, %d found", l.bytes, bytes)
}

// chunk checks a chunk of a list: its elements read in both directions.
func (c *checker) chunk(k *chunk) {
	c.require(k.count > 0, "an empty chunk in a list")
	c.require(k.count == 1 || k.used() <= chunkSize, "a chunk of %d elements and %d bytes", k.count, k.used())
	var elems [][]byte
	off := k.head
	for off < k.tail && len(elems) < int(k.count) {
		var elem []byte
		elem, off = k.at(off)
		elems = append(elems, elem)
	}
	c.require(off == k.tail && len(elems) == int(k.count), "%d elements in a chunk, %d found", k.count, len(elems))
	for i := len(elems) - 1; i >= 0 && c.err == nil; i-- {
		var elem []byte
		elem, off = k.before(off)
		c.require(bytes.Equal(elem, elems[i]), "element %d of a chunk differs when read backwards", i)
	}
}

func (c *checker) set(s *Set) {
	c.require(s.in == c.thresholds, "a set does not know the thresholds of its store")
	c.require((s.table != nil) == (s.form == setInTable), "a set of form %d has a table, or has none", s.form)
	if c.err != nil {
		return
	}
	c.require(s.Len() > 0, "an empty set is stored")
	switch s.form {
	case setOfInts:
		p := intPack(s.small)
		c.require(p.len() == int(s.count) && len(p)%intSize == 0, "%d integers in a set, %d found", s.count, p.len())
		for i := 1; i < p.len(); i++ {
			c.require(p.at(i-1) < p.at(i), "the integers of a set are out of order at %d", p.at(i))
		}
	case setPacked:
		members := c.packed(s.small)
		c.require(len(members) == int(s.count), "%d members in a packed set, %d found", s.count, len(members))
		c.unique(members, 1)
	default:
		c.require(s.small == nil && s.count == 0, "a set is both packed and a table")
		checkDict(c, &s.table.members)
		bytes := 0
		s.table.members.each(func(n *node[struct{}]) bool { bytes += len(n.key); return true })
		c.require(bytes == s.table.bytes, "%d bytes in a set, %d found", s.table.bytes, bytes)
	}
}

func (c *checker) zset(z *ZSet) {
	c.require(z.Len() > 0, "an empty sorted set is stored")
	c.require(z.in == c.thresholds, "a sorted set does not know the thresholds of its store")
	if z.big != nil {
		c.require(z.small.b == nil && z.small.count == 0, "a sorted set is both packed and a table")
		c.bigZSet(z.big)
		return
	}
	elems := c.packed(z.small.b)
	c.require(len(elems) == z.small.count, "%d members in a packed sorted set, %d found", z.small.count, len(elems))
	members := make([][]byte, 0, len(elems))
	last := rank{score: math.Inf(-1)}
	for _, elem := range elems {
		if len(elem) < scoreSize {
			c.require(false, "an element of a sorted set has no score")
			return
		}
		end := len(elem) - scoreSize
		score := math.Float64frombits(binary.LittleEndian.Uint64(elem[end:]))
		members = append(members, elem[:end])
		c.rank(&last, rank{score, string(elem[:end])}, len(members) == 1)
	}
	c.unique(members, 1)
}

// rank is where an element stands in a sorted set.
type rank struct {
	score  float64
	member string
}

// rank checks that an element comes after the last one.
func (c *checker) rank(last *rank, next rank, first bool) {
	c.require(!math.IsNaN(next.score), "the score of %q is not a number", next.member)
	before := first || rankedBefore(last.score, []byte(last.member), next.score, []byte(next.member))
	c.require(before, "%q and %q of a sorted set are out of order", last.member, next.member)
	*last = next
}

func (c *checker) bigZSet(b *bigZSet) {
	checkDict(c, &b.scores)
	bytes := 0
	b.scores.each(func(n *node[float64]) bool { bytes += len(n.key); return true })
	c.require(bytes == b.bytes, "%d bytes in a sorted set, %d found", b.bytes, bytes)
	if c.rankNode(b.order.root); c.err != nil {
		return
	}
	var last rank
	found := 0
	for _, e := range c.entries(b.order.root, nil) {
		c.require(b.scores.get(bytesOf(e.n.key)) == e.n, "%q has a rank and no score", e.n.key)
		c.require(e.n.val == e.score, "%q has score %v, and rank of %v", e.n.key, e.n.val, e.score)
		c.rank(&last, rank{e.score, e.n.key}, found == 0)
		found++
	}
	c.require(found == b.scores.len(), "%d members with scores, %d with ranks", b.scores.len(), found)
}

// entries appends the entries below a node.
func (c *checker) entries(n *rankNode, to []rankEntry) []rankEntry {
	to = append(to, n.entries...)
	for _, child := range n.children {
		to = c.entries(child.node, to)
	}
	return to
}

// rankNode checks a node of a tree of ranks and returns how high it is, 1 for a leaf.
func (c *checker) rankNode(n *rankNode) (height int) {
	c.require(n.size() <= n.slots(), "a node with %d slots of %d", n.size(), n.slots())
	c.require(n.children == nil || n.entries == nil, "a node is both a leaf and a branch")
	for i, child := range n.children {
		if child.node.size() == 0 {
			c.require(false, "a node has an empty child")
			return 0
		}
		h := c.rankNode(child.node)
		c.require(child == child.node.asChild(), "a branch is wrong about child %d", i)
		c.require(i == 0 || h == height, "the leaves are not equally deep")
		height = h
	}
	return height + 1
}
