package store

// How far a group has read is known by counting from the first entry ever of the stream. Deleted entries in between
// make that impossible, until the group has passed them all. (XINFO GROUPS command page: consumer group lag.)

// Counting says in what the counting of a server is better than that of Redis 7.0.
type Counting struct {
	// HeedsDeleted also heeds deleted entries behind what the group has read if they are before the first entry, and
	// those before what is read next.
	HeedsDeleted bool
	// KnowsUnread knows that a group which is before the first entry has all of them still to read, and that of an
	// empty stream there is nothing to read.
	KnowsUnread bool
	// CountsTrimmed counts anew when a group reads on behind entries that were trimmed.
	CountsTrimmed bool
}

// EntriesRead is how many entries the group has read since the first of the stream, or EntriesReadUnknown.
func (g *StreamGroup) EntriesRead() int64 { return g.read }

// Lag is how many entries are still to be delivered; ok is false if that is not known.
func (g *StreamGroup) Lag(by Counting) (lag int64, ok bool) {
	s := g.stream
	switch {
	case s.added == 0:
		return 0, true
	case by.KnowsUnread && (s.length == 0 || s.isBeforeFirst(g.last) && s.isBeforeFirst(s.maxDeleted)):
		return int64(s.length), true
	case g.read != EntriesReadUnknown && !s.deletedBehind(g.last, by):
		return int64(s.added) - g.read, true
	}
	read := s.countUpTo(g.last, by)
	return int64(s.added) - read, read != EntriesReadUnknown
}

// Advance notes that the entry of an id behind LastID was delivered.
func (g *StreamGroup) Advance(id StreamID, by Counting) {
	s, from := g.stream, id
	if by.HeedsDeleted {
		from = g.last
	}
	if g.read != EntriesReadUnknown && !s.deletedBehind(from, by) && !(by.CountsTrimmed && s.isBeforeFirst(g.last)) {
		g.read++
	} else if s.added > 0 {
		g.read = s.countUpTo(id, by)
	}
	g.last = id
}

// isBeforeFirst reports whether an id is before the first entry. None is if there is no entry.
func (s *Stream) isBeforeFirst(id StreamID) bool {
	first, any := s.First()
	return any && id.Compare(first) < 0
}

// deletedBehind reports whether among the entries not before an id there may be deleted ones.
func (s *Stream) deletedBehind(id StreamID, by Counting) bool {
	if by.HeedsDeleted {
		return s.length > 0 && s.maxDeleted != StreamID{} && id.Compare(s.maxDeleted) <= 0
	}
	return s.hasGaps() && id.Compare(s.maxDeleted) <= 0
}

// hasGaps reports whether an entry behind the first one may have been deleted.
func (s *Stream) hasGaps() bool {
	first, any := s.First()
	return any && s.maxDeleted != StreamID{} && s.maxDeleted.Compare(first) >= 0
}

// CountUpTo is how many entries were ever added up to an id, or EntriesReadUnknown where deleted entries hide that.
func (s *Stream) CountUpTo(id StreamID) int64 { return s.countUpTo(id, Counting{}) }

func (s *Stream) countUpTo(id StreamID, by Counting) int64 {
	added := int64(s.added)
	first, any := s.First()
	behind := id.Compare(s.last)
	switch {
	case added == 0:
		return 0
	case !any && behind <= 0:
		return added
	case by.HeedsDeleted && id != StreamID{} && id.Compare(s.maxDeleted) < 0:
		return EntriesReadUnknown
	case behind == 0:
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
