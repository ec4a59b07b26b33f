package store

// A group refers to an entry that is pending in it, or that it has not read yet. Since Redis 8.2 a command that removes
// entries may respect such references, or remove them as well.

// References says what becomes of the references to an entry that is to be removed.
type References uint8

// The options of XDELEX, XACKDEL, XTRIM and XADD.
const (
	KeepRefs  References = iota // KEEPREF: pending entries stay pending
	DropRefs                    // DELREF: pending entries are forgotten
	OnlyAcked                   // ACKED: only entries are removed to which no group refers
)

// HasRefs reports whether a group refers to an entry, or to where it would be.
func (s *Stream) HasRefs(id StreamID) (has bool) {
	for g := range s.Groups {
		if g.last.Compare(id) < 0 || g.PendingAt(id) != nil {
			return true
		}
	}
	return false
}

// AckInAll forgets the pending entry of an id in all groups.
func (s *Stream) AckInAll(id StreamID) {
	for g := range s.Groups {
		g.Ack(id)
	}
}

// trimWithRefs is Trim one entry at a time. Entries that must stay count for the length: the next ones go instead of
// them.
func (s *Stream) trimWithRefs(t Trimming) (removed int) {
	if t.Roughly {
		return 0
	}
	for at := 0; at < len(s.chunks) && t.allows(s.chunks[at].base, s.length); {
		c := &s.chunks[at]
		drop := s.mayDrop(t, c)
		for _, id := range s.trimmed(t, c) {
			s.cut(id)
			if t.Refs == DropRefs {
				s.AckInAll(id)
			}
			removed++
		}
		if drop && c.count == 0 {
			s.dropEmpty(at)
		} else {
			at++
		}
	}
	return removed
}

// trimmed returns the entries of a chunk that trimWithRefs removes.
func (s *Stream) trimmed(t Trimming, c *streamChunk) (ids []StreamID) {
	for off := 0; off < len(c.b); {
		id, _, next := c.at(off)
		if !t.allows(id, s.length-len(ids)) {
			break
		}
		if t.Refs == DropRefs || !s.HasRefs(id) {
			ids = append(ids, id)
		}
		off = next
	}
	return ids
}
