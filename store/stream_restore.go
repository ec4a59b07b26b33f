package store

// A stream that is restored from a payload gets the chunks that it had, and they know how many entries were deleted
// from them: rough trimming goes by that.

// BeginChunk starts a chunk for the entry with an id and, in turn, field names and values, which is yet to be put in.
// It reports whether the id is greater than LastID.
func (s *Stream) BeginChunk(id StreamID, fields [][]byte) bool {
	if id.Compare(s.last) <= 0 {
		return false
	}
	s.chunks = append(s.chunks, newStreamChunk(id, fields))
	s.bytes += len(s.chunks[len(s.chunks)-1].names)
	return true
}

// PutInChunk adds an entry to the chunk that was started last, or notes that there was one which is deleted. It reports
// whether the id is greater than LastID and not before the chunk.
func (s *Stream) PutInChunk(id StreamID, fields [][]byte, deleted bool) bool {
	c := &s.chunks[len(s.chunks)-1]
	if id.Compare(s.last) <= 0 || id.Compare(c.base) < 0 {
		return false
	}
	if s.last = id; deleted {
		c.addDeleted(id, fields)
		return true
	}
	s.countBytes(c, func() { c.add(id, fields) })
	s.length++
	s.added++
	return true
}

// EndChunk drops the chunk that was started last if it is empty; only the first one may be.
func (s *Stream) EndChunk() {
	if last := len(s.chunks) - 1; last > 0 && s.chunks[last].count == 0 {
		s.bytes -= len(s.chunks[last].names)
		s.chunks = s.chunks[:last]
	}
}

// addDeleted notes an entry that was added and deleted.
func (c *streamChunk) addDeleted(id StreamID, fields [][]byte) {
	c.added++
	c.top = id
	c.packedSize += int32(c.entrySize(id, fields, c.hasNames(fields)))
}
