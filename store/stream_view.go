package store

// StreamChunk is a run of entries of a stream, those that Redis would keep in one node. It is valid until the stream is
// changed.
type StreamChunk struct{ c *streamChunk }

// EachChunk calls yield for every chunk, in the order of the entries, until it returns false.
func (s *Stream) EachChunk(yield func(StreamChunk) bool) {
	for i := range s.chunks {
		if !yield(StreamChunk{&s.chunks[i]}) {
			return
		}
	}
}

// Base is the id of the entry that the chunk was made for. The entry itself may be gone.
func (v StreamChunk) Base() StreamID { return v.c.base }

// Len is the number of entries.
func (v StreamChunk) Len() int { return int(v.c.count) }

// Names are the field names of the entry that the chunk was made for.
func (v StreamChunk) Names() (names [][]byte) {
	for off := 0; off < len(v.c.names); {
		var name []byte
		name, off = v.c.names.at(off)
		names = append(names, name)
	}
	return names
}

// Each calls f for every entry; same says that its fields have the names of the chunk.
func (v StreamChunk) Each(f func(id StreamID, fields Fields, same bool)) {
	for off := 0; off < len(v.c.b); {
		id, fields, next := v.c.at(off)
		f(id, fields, fields.names != nil)
		off = next
	}
}
