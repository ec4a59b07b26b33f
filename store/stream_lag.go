package store

// How far a group has read is known by counting from the first entry ever of the stream. Deleted entries in between
// make that impossible, until the group has passed them all. (XINFO GROUPS command page: consumer group lag.)

// EntriesRead is how many entries the group has read since the first of the stream, or EntriesReadUnknown.
func (g *StreamGroup) EntriesRead() int64 { return g.read }

// Lag is how many entries are still to be delivered; ok is false if that is not known.
func (g *StreamGroup) Lag() (lag int64, ok bool) {
	s := g.stream
	switch {
	case s.added == 0:
		return 0, true
	case g.read != EntriesReadUnknown && !s.deletedBehind(g.last):
		return int64(s.added) - g.read, true
	}
	read := s.CountUpTo(g.last)
	return int64(s.added) - read, read != EntriesReadUnknown
}

// Advance notes that the entry of an id behind LastID was delivered.
func (g *StreamGroup) Advance(id StreamID) {
	if g.read != EntriesReadUnknown && !g.stream.deletedBehind(id) {
		g.read++
	} else if g.stream.added > 0 {
		g.read = g.stream.CountUpTo(id)
	}
	g.last = id
}

// deletedBehind reports whether among the entries not before an id there may be deleted ones, with others before them.
func (s *Stream) deletedBehind(id StreamID) bool {
	return s.hasGaps() && id.Compare(s.maxDeleted) <= 0
}

// hasGaps reports whether an entry behind the first one may have been deleted.
func (s *Stream) hasGaps() bool {
	first, any := s.First()
	return any && s.maxDeleted != StreamID{} && s.maxDeleted.Compare(first) >= 0
}

// CountUpTo is how many entries were ever added up to an id, or EntriesReadUnknown where deleted entries hide that.
func (s *Stream) CountUpTo(id StreamID) int64 {
	added := int64(s.added)
	first, any := s.First()
	behind := id.Compare(s.last)
	switch {
	case added == 0:
		return 0
	case !any && behind <= 0, behind == 0:
		return added
	case behind > 0, s.hasGaps():
		return EntriesReadUnknown
	case id.Compare(first) < 0:
		return added - int64(s.length)
	case id == first:
		return added - int64(s.length) + 1
	}
	return EntriesReadUnknown
}
