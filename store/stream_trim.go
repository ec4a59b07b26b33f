package store

// Trimming says which of the oldest entries of a stream may go: those that make it longer than MaxLen, or those
// before MinID (XTRIM command page).
type Trimming struct {
	ByID   bool
	MaxLen int
	MinID  StreamID
	// Roughly removes only whole chunks.
	Roughly bool
	// Limit is how many entries are removed at most; 0 is no limit.
	Limit int
	// Refs is what becomes of the references to entries. Other than with KeepRefs, Roughly removes none.
	Refs References
}

// allows reports whether the rule allows to remove an entry from a stream of that length.
func (t Trimming) allows(id StreamID, length int) bool {
	if t.ByID {
		return id.Compare(t.MinID) < 0
	}
	return length > t.MaxLen
}

// Trim removes the oldest entries as the rule says, and returns how many these were. As in Redis a chunk goes as a
// whole only if the rule lets all entries go that it ever had: one whose last entries were deleted before may stay
// behind empty.
func (s *Stream) Trim(t Trimming) (removed int) {
	if t.Refs != KeepRefs {
		return s.trimWithRefs(t)
	}
	whole := 0 // chunks
	for whole < len(s.chunks) && s.mayDrop(t, &s.chunks[whole]) {
		c := &s.chunks[whole]
		if t.Limit > 0 && removed+int(c.count) > t.Limit {
			break
		}
		removed += int(c.count)
		s.length -= int(c.count)
		s.bytes -= len(c.names) + len(c.b)
		whole++
	}
	clear(s.chunks[:whole])
	s.chunks = s.chunks[whole:]
	if t.Roughly || len(s.chunks) == 0 {
		return removed
	}
	c := &s.chunks[0]
	n := s.excess(t, c)
	if n == 0 {
		return removed
	}
	s.countBytes(c, func() { c.cut(0, n) })
	s.length -= n
	return removed + n
}

// mayDrop reports whether the rule allows to remove the first chunk as a whole.
func (s *Stream) mayDrop(t Trimming, c *streamChunk) bool {
	return t.allows(c.top, s.length) && (t.ByID || s.length-int(c.count) >= t.MaxLen)
}

// excess is how many entries of the first chunk the rule allows to remove.
func (s *Stream) excess(t Trimming, c *streamChunk) int {
	if !t.ByID {
		return min(max(0, s.length-t.MaxLen), int(c.count))
	}
	_, before := c.seek(t.MinID)
	return before
}
