package store

import "encoding/binary"

// streamChunk is a run of entries. An entry is one element of b: its id, as far as it differs from that of the first
// entry, and its fields. Entries with the same field names as the first one keep only the values, since the entries of
// a stream are mostly of one kind.
type streamChunk struct {
	base  StreamID // not behind the first entry
	top   StreamID // of the last entry ever added
	b     packed
	names packed // the field names of the entry that the chunk was made for
	count int32  // entries
	added int32  // entries ever added

	packedSize int32 // see nodeSize
}

// Fields are the fields of an entry with their values, valid until the stream is changed.
type Fields struct {
	names  packed // nil if the names stand before the values
	values packed
	count  int
}

// Len is the number of fields.
func (f Fields) Len() int { return f.count }

// Each calls yield with every field and its value, in the order in which they were added.
func (f Fields) Each(yield func(field, value []byte)) {
	names := f.names
	for nameAt, valueAt := 0, 0; valueAt < len(f.values); {
		var field, value []byte
		if names != nil {
			field, nameAt = names.at(nameAt)
		} else {
			field, valueAt = f.values.at(valueAt)
		}
		value, valueAt = f.values.at(valueAt)
		yield(field, value)
	}
}

func newStreamChunk(id StreamID, fields [][]byte) streamChunk {
	c := streamChunk{base: id, packedSize: int32(headSize(fields))}
	for i := 0; i < len(fields); i += 2 {
		c.names = c.names.appended(fields[i])
	}
	return c
}

// add appends an entry; fields are names and values in turn.
func (c *streamChunk) add(id StreamID, fields [][]byte) {
	var small [128]byte
	same := c.hasNames(fields)
	entry := binary.AppendUvarint(small[:0], id.Ms-c.base.Ms)
	entry = binary.AppendUvarint(entry, id.Seq)
	entry = binary.AppendUvarint(entry, uint64(len(fields)/2)<<1|bit(same))
	values := packed(entry)
	for i, word := range fields {
		if i%2 == 1 || !same {
			values = append(binary.AppendUvarint(values, uint64(len(word))), word...)
		}
	}
	c.b = c.b.appended(values)
	c.count++
	c.added++
	c.top = id
	c.packedSize += int32(c.entrySize(id, fields, same))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// hasNames reports whether an entry has the field names of the chunk.
func (c *streamChunk) hasNames(fields [][]byte) bool {
	off := 0
	for i := 0; i < len(fields); i += 2 {
		if off == len(c.names) {
			return false
		}
		var name []byte
		if name, off = c.names.at(off); string(name) != string(fields[i]) {
			return false
		}
	}
	return off == len(c.names)
}

// at returns the entry at an offset of b, and the offset behind it.
func (c *streamChunk) at(off int) (id StreamID, f Fields, next int) {
	entry, next := c.b.at(off)
	ms, n := binary.Uvarint(entry)
	seq, m := binary.Uvarint(entry[n:])
	head, k := binary.Uvarint(entry[n+m:])
	f = Fields{values: entry[n+m+k:], count: int(head >> 1)}
	if head&1 == 1 {
		f.names = c.names
	}
	return StreamID{c.base.Ms + ms, seq}, f, next
}

// seek returns the offset of the first entry that is not before id, and how many are before it.
func (c *streamChunk) seek(id StreamID) (off, before int) {
	for off < len(c.b) {
		got, _, next := c.at(off)
		if got.Compare(id) >= 0 {
			break
		}
		off = next
		before++
	}
	return off, before
}

// cut removes n entries from offset off on.
func (c *streamChunk) cut(off, n int) {
	c.b = c.b.cut(off, c.b.skip(off, n))
	c.count -= int32(n)
}

// last is the id of the last entry.
func (c *streamChunk) last() StreamID {
	id, _, _ := c.at(c.b.skip(0, int(c.count)-1))
	return id
}

// offsets appends those of all entries to dst.
func (c *streamChunk) offsets(dst []int) []int {
	for off := 0; off < len(c.b); off = c.b.skip(off, 1) {
		dst = append(dst, off)
	}
	return dst
}

func (c *streamChunk) clone() streamChunk {
	d := *c
	d.b, d.names = c.b.clone(), c.names.clone()
	return d
}
