package store

import (
	"bytes"
	"math"
	"slices"
	"unsafe"
)

// List is a sequence of elements: a deque of chunks, in which a short element costs two bytes more than its own.
// Pushing and popping take constant time; reaching an element takes as many steps as there are chunks before it, plus
// those within its chunk.
type List struct {
	chunks []chunk // those before first are empty, and room to grow at the front
	first  int
	count  int
	bytes  int // of the elements with their lengths
	state  listState
	bound
}

// End is an end of a list.
type End bool

// The ends.
const (
	Front End = false
	Back  End = true
)

// NewList returns an empty list.
func NewList() *List { return new(List) }

// Len is the number of elements.
func (l *List) Len() int { return l.count }

// live is the chunks in use; none is empty.
func (l *List) live() []chunk { return l.chunks[l.first:] }

// Push adds a copy of elem at an end.
func (l *List) Push(elem []byte, at End) {
	l.grow(elem)
	l.count++
	l.bytes += slotSize(elem)
	if live := l.live(); len(live) > 0 && l.outer(at).push(elem, at) {
		return
	}
	size := slotSize(elem)
	if len(l.live()) > 0 {
		size = max(size, chunkSize) // the list is growing
	}
	c := newChunk(size, at)
	c.push(elem, at)
	if at == Front {
		l.addFront(c)
	} else {
		l.addBack(c)
	}
}

// outer is the first or the last chunk.
func (l *List) outer(at End) *chunk {
	if at == Front {
		return &l.chunks[l.first]
	}
	return &l.chunks[len(l.chunks)-1]
}

func (l *List) addFront(c chunk) {
	if l.first == 0 {
		l.first = len(l.chunks)/2 + 1
		larger := make([]chunk, l.first+len(l.chunks))
		copy(larger[l.first:], l.chunks)
		l.chunks = larger
	}
	l.first--
	l.chunks[l.first] = c
}

func (l *List) addBack(c chunk) {
	if len(l.chunks) == cap(l.chunks) && l.first > len(l.chunks)/2 { // a queue has used up the front
		n := copy(l.chunks, l.live())
		clear(l.chunks[n:])
		l.chunks, l.first = l.chunks[:n], 0
	}
	l.chunks = append(l.chunks, c)
}

// Pop removes and returns the element at an end of a list that has one. It is valid until the list is pushed to.
func (l *List) Pop(at End) []byte {
	elem := l.outer(at).pop(at)
	l.count--
	l.bytes -= slotSize(elem)
	if l.outer(at).count == 0 {
		l.dropOuter(at)
	}
	l.shrunk(slotSize(elem))
	return elem
}

func (l *List) dropOuter(at End) {
	*l.outer(at) = chunk{}
	if at == Front {
		l.first++
	} else {
		l.chunks = l.chunks[:len(l.chunks)-1]
	}
}

// Drop removes n elements at an end.
func (l *List) Drop(n int, at End) {
	before := l.bytes
	l.drop(n, at)
	l.shrunk(before - l.bytes)
}

func (l *List) drop(n int, at End) {
	l.count -= n
	for n > 0 {
		c := l.outer(at)
		if int(c.count) > n {
			for range n {
				l.bytes -= slotSize(c.pop(at))
			}
			return
		}
		n -= int(c.count)
		l.bytes -= c.used()
		l.dropOuter(at)
	}
}

// Trim leaves only a range of the elements.
func (l *List) Trim(s Span) {
	l.Drop(l.count-s.Stop, Back)
	l.Drop(s.Start, Front)
}

// seek returns the chunk that holds the i-th element, and its place therein.
func (l *List) seek(i int) (at int, within int32) {
	if i < l.count/2 {
		at = l.first
		for i >= int(l.chunks[at].count) {
			i -= int(l.chunks[at].count)
			at++
		}
		return at, int32(i)
	}
	at = len(l.chunks) - 1
	left := l.count - int(l.chunks[at].count) // elements before chunk at
	for left > i {
		at--
		left -= int(l.chunks[at].count)
	}
	return at, int32(i - left)
}

// At returns the i-th element; it must not be modified, and is valid until the list is changed.
func (l *List) At(i int) []byte {
	at, within := l.seek(i)
	c := &l.chunks[at]
	elem, _ := c.at(c.seek(within))
	return elem
}

// Set replaces the i-th element by a copy of elem.
func (l *List) Set(i int, elem []byte) {
	before := l.bytes
	l.grow(elem)
	l.set(i, elem)
	l.shrunk(max(0, before-l.bytes))
}

func (l *List) set(i int, elem []byte) {
	at, within := l.seek(i)
	c := &l.chunks[at]
	off := c.seek(within)
	old, _ := c.at(off)
	if len(old) == len(elem) {
		copy(old, elem)
		return
	}
	l.bytes -= slotSize(old)
	c.cut(off)
	l.count--
	l.insert(at, off, elem)
}

// insert puts an element before the one at an offset of a chunk.
func (l *List) insert(at int, off int32, elem []byte) {
	l.count++
	l.bytes += slotSize(elem)
	c := &l.chunks[at]
	if c.fits(elem) {
		c.insert(off, elem)
		return
	}
	right := c.split(off)
	single := newChunk(slotSize(elem), Back)
	single.push(elem, Back)
	l.chunks = slices.Insert(l.chunks, at+1, single, right)
	for i := at + 2; i >= at; i-- {
		l.compact(i)
	}
}

// compact removes a chunk that is empty, and joins one with the next if together they fill no more than half a chunk.
func (l *List) compact(at int) {
	c := &l.chunks[at]
	if c.count == 0 {
		l.chunks = slices.Delete(l.chunks, at, at+1)
		return
	}
	if at+1 < len(l.chunks) && c.used()+l.chunks[at+1].used() <= chunkSize/2 {
		c.join(&l.chunks[at+1])
		l.chunks = slices.Delete(l.chunks, at+1, at+2)
	}
}

// Insert puts a copy of elem before or behind the first element that equals pivot, and reports whether there is one.
func (l *List) Insert(pivot, elem []byte, behind bool) bool {
	for at := l.first; at < len(l.chunks); at++ {
		c := &l.chunks[at]
		for off := c.head; off < c.tail; {
			got, next := c.at(off)
			if bytes.Equal(got, pivot) {
				if behind {
					off = next
				}
				l.grow(elem)
				l.insert(at, off, elem)
				return true
			}
			off = next
		}
	}
	return false
}

// Remove takes out the elements that equal elem, or no more than limit of them, beginning at an end, if limit is not
// 0. It returns how many these were.
func (l *List) Remove(elem []byte, limit int, from End) (removed int) {
	if limit == 0 {
		limit = l.count
	}
	at, step := l.first, 1
	if from == Back {
		at, step = len(l.chunks)-1, -1
	}
	for ; at >= l.first && at < len(l.chunks) && removed < limit; at += step {
		n := l.chunks[at].remove(elem, limit-removed, from)
		removed += n
	}
	l.count -= removed
	l.bytes -= removed * slotSize(elem)
	if removed > 0 {
		l.compactAll()
		l.shrunk(removed * slotSize(elem))
	}
	return removed
}

// compactAll is compact for every chunk.
func (l *List) compactAll() {
	for at := len(l.chunks) - 1; at >= l.first; at-- {
		l.compact(at)
	}
}

// remove is List.Remove within a chunk.
func (c *chunk) remove(elem []byte, limit int, from End) (removed int) {
	if from == Front {
		for off := c.head; off < c.tail && removed < limit; {
			got, next := c.at(off)
			if bytes.Equal(got, elem) {
				c.cut(off)
				removed++
				continue
			}
			off = next
		}
		return removed
	}
	for off := c.tail; off > c.head && removed < limit; {
		got, start := c.before(off)
		if bytes.Equal(got, elem) {
			c.cut(start)
			removed++
		}
		off = start
	}
	return removed
}

// Walk calls f for the elements of a range until it returns false. f must not change the list; an element must not be
// modified, and is valid until the list is changed.
func (l *List) Walk(s Span, f func(elem []byte) bool) {
	if s.Len() == 0 {
		return
	}
	at, within := l.seek(s.Start)
	off := l.chunks[at].seek(within)
	for left := s.Len(); left > 0; at++ {
		c := &l.chunks[at]
		for off = max(off, c.head); off < c.tail && left > 0; left-- {
			var elem []byte
			if elem, off = c.at(off); !f(elem) {
				return
			}
		}
		off = 0
	}
}

// WalkBack is Walk in the reverse order.
func (l *List) WalkBack(s Span, f func(elem []byte) bool) {
	if s.Len() == 0 {
		return
	}
	at, within := l.seek(s.Stop - 1)
	off := l.chunks[at].seek(within + 1)
	for left := s.Len(); left > 0; at-- {
		c := &l.chunks[at]
		for off = min(off, c.tail); off > c.head && left > 0; left-- {
			var elem []byte
			if elem, off = c.before(off); !f(elem) {
				return
			}
		}
		off = math.MaxInt32
	}
}

// Type implements Value.
func (l *List) Type() Type { return TypeList }

// Clone implements Value.
func (l *List) Clone() Value {
	c := &List{chunks: make([]chunk, 0, len(l.live())), count: l.count, bytes: l.bytes,
		state: l.state, bound: l.bound}
	for i := range l.live() {
		c.chunks = append(c.chunks, l.live()[i].clone())
	}
	return c
}

// Weight implements Value.
func (l *List) Weight() int {
	return int(unsafe.Sizeof(*l)) + l.bytes + len(l.live())*int(unsafe.Sizeof(chunk{}))
}
