package store

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// Stream is a log of entries in the order of their ids, which only ever ascend. The entries are packed in chunks;
// appending and removing the oldest take constant time, reaching an entry a search among the chunks.
type Stream struct {
	chunks     []streamChunk // some may be empty, see Trim
	length     int
	last       StreamID // of the last entry ever added
	maxDeleted StreamID
	added      uint64
	bytes      int // of all chunks
	groups     ordered[string, *StreamGroup]
	groupBytes int // of all groups
}

// NewStream returns an empty stream.
func NewStream() *Stream {
	return &Stream{groups: newOrdered[string, *StreamGroup](strings.Compare)}
}

// Len is the number of entries.
func (s *Stream) Len() int { return s.length }

// LastID is the highest id the stream ever had, or that XSETID has set.
func (s *Stream) LastID() StreamID { return s.last }

// MaxDeletedID is the highest id among the entries that were deleted.
func (s *Stream) MaxDeletedID() StreamID { return s.maxDeleted }

// EntriesAdded counts all entries that were ever added.
func (s *Stream) EntriesAdded() uint64 { return s.added }

// Chunks is in how many pieces the entries are kept (radix-tree-keys of XINFO STREAM).
func (s *Stream) Chunks() int { return len(s.chunks) }

// Describe replaces what the stream reports of its past (XSETID).
func (s *Stream) Describe(last, maxDeleted StreamID, added uint64) {
	s.last, s.maxDeleted, s.added = last, maxDeleted, added
}

// First is the id of the first entry; ok is false if there is none.
func (s *Stream) First() (id StreamID, ok bool) {
	if s.length == 0 {
		return StreamID{}, false
	}
	at := 0
	for s.chunks[at].count == 0 {
		at++
	}
	id, _, _ = s.chunks[at].at(0)
	return id, true
}

// Begin is the id of the first entry, which may be a deleted one whose node has others: Redis still has it in the node.
// ok is false if there is none.
func (s *Stream) Begin() (id StreamID, ok bool) {
	for _, c := range s.chunks {
		if c.count > 0 {
			return c.base, true
		}
	}
	return StreamID{}, false
}

// Top is the id of the last entry that is still there; ok is false if there is none.
func (s *Stream) Top() (id StreamID, ok bool) {
	if s.length == 0 {
		return StreamID{}, false
	}
	at := len(s.chunks) - 1
	for s.chunks[at].count == 0 {
		at--
	}
	return s.chunks[at].last(), true
}

// NextID is the id of an entry that is added at a time, in ms since the epoch.
func (s *Stream) NextID(now int64) StreamID {
	if ms := uint64(now); ms > s.last.Ms {
		return StreamID{Ms: ms}
	}
	return s.last.Next()
}

// NextSeq is the next id of a given time; ok is false if there is none.
func (s *Stream) NextSeq(ms uint64) (id StreamID, ok bool) {
	if ms != s.last.Ms {
		return StreamID{Ms: ms}, ms > s.last.Ms
	}
	return s.last.Next(), s.last.Seq < math.MaxUint64
}

// Append adds an entry and reports whether its id is greater than LastID, as it must be. The fields are names and
// values in turn; they are copied.
func (s *Stream) Append(t *Thresholds, id StreamID, fields [][]byte) bool {
	if id.Compare(s.last) <= 0 {
		return false
	}
	if n := len(s.chunks); n == 0 || s.chunks[n-1].full(t, fields) {
		s.chunks = append(s.chunks, newStreamChunk(id, fields))
		s.bytes += len(s.chunks[n].names)
	}
	c := &s.chunks[len(s.chunks)-1]
	s.countBytes(c, func() { c.add(id, fields) })
	s.last = id
	s.length++
	s.added++
	return true
}

// countBytes calls change, which changes a chunk, and adds the difference to the bytes of the stream.
func (s *Stream) countBytes(c *streamChunk, change func()) {
	before := len(c.b)
	change()
	s.bytes += len(c.b) - before
}

// chunkOf is the index of the chunk where id is or belongs.
func (s *Stream) chunkOf(id StreamID) int {
	return max(0, sort.Search(len(s.chunks), func(i int) bool { return s.chunks[i].base.Compare(id) > 0 })-1)
}

// find returns the chunk of an entry and the offset in it; ok is false if there is no such entry.
func (s *Stream) find(id StreamID) (chunk, off int, ok bool) {
	if s.length == 0 {
		return 0, 0, false
	}
	chunk = s.chunkOf(id)
	c := &s.chunks[chunk]
	if off, _ = c.seek(id); off == len(c.b) {
		return 0, 0, false
	}
	got, _, _ := c.at(off)
	return chunk, off, got == id
}

// Entry returns the fields of an entry; ok is false if there is no such entry.
func (s *Stream) Entry(id StreamID) (f Fields, ok bool) {
	chunk, off, ok := s.find(id)
	if ok {
		_, f, _ = s.chunks[chunk].at(off)
	}
	return f, ok
}

// Delete removes an entry and reports whether it was there.
func (s *Stream) Delete(id StreamID) bool {
	chunk, ok := s.cut(id)
	if !ok {
		return false
	}
	s.dropEmpty(chunk)
	if id.Compare(s.maxDeleted) > 0 {
		s.maxDeleted = id
	}
	return true
}

// cut removes an entry from its chunk, whose index it returns; ok is false if there is no such entry.
func (s *Stream) cut(id StreamID) (chunk int, ok bool) {
	chunk, off, ok := s.find(id)
	if ok {
		c := &s.chunks[chunk]
		s.countBytes(c, func() { c.cut(off, 1) })
		s.length--
	}
	return chunk, ok
}

// dropEmpty removes a chunk if it is empty.
func (s *Stream) dropEmpty(chunk int) {
	if c := &s.chunks[chunk]; c.count == 0 {
		s.bytes -= len(c.names)
		s.chunks = slices.Delete(s.chunks, chunk, chunk+1)
	}
}

// Walk calls f for the entries from first to last, both included, until it returns false. f must not change the stream.
func (s *Stream) Walk(first, last StreamID, f func(StreamID, Fields) bool) {
	for i := s.chunkOf(first); i < len(s.chunks); i++ {
		c := &s.chunks[i]
		for off, _ := c.seek(first); off < len(c.b); {
			id, fields, next := c.at(off)
			if id.Compare(last) > 0 || !f(id, fields) {
				return
			}
			off = next
		}
	}
}

// WalkBack is Walk from last down to first.
func (s *Stream) WalkBack(first, last StreamID, f func(StreamID, Fields) bool) {
	if s.length == 0 {
		return
	}
	var offsets []int
	for i := s.chunkOf(last); i >= 0; i-- {
		c := &s.chunks[i]
		offsets = c.offsets(offsets[:0])
		for j := len(offsets) - 1; j >= 0; j-- {
			id, fields, _ := c.at(offsets[j])
			if id.Compare(last) > 0 {
				continue
			}
			if id.Compare(first) < 0 || !f(id, fields) {
				return
			}
		}
	}
}

// Type implements Value.
func (s *Stream) Type() Type { return TypeStream }

// Clone implements Value.
func (s *Stream) Clone() Value {
	c := *s
	c.chunks = make([]streamChunk, 0, len(s.chunks))
	for i := range s.chunks {
		c.chunks = append(c.chunks, s.chunks[i].clone())
	}
	c.groups, c.groupBytes = newOrdered[string, *StreamGroup](strings.Compare), 0
	for g := range s.Groups {
		g.clone(&c)
	}
	return &c
}

// Weight implements Value.
func (s *Stream) Weight() int {
	return int(unsafe.Sizeof(*s)) + s.bytes + s.groupBytes + len(s.chunks)*int(unsafe.Sizeof(streamChunk{}))
}
