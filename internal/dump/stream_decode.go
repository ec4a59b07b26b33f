package dump

import (
	"encoding/binary"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// streamForm is what the form of a stream has, depending on the version of Redis.
type streamForm struct {
	// hasPast says that there are the first id, the highest deleted id, the number of entries ever added, and that of the
	// entries which each group has read. Without them no entry counts as deleted, and as many were added as there are.
	hasPast bool
	// hasActive says that each consumer has the time when it last got an entry.
	hasActive bool
}

// decodeStream reads a stream in one of the forms: the first was that of Redis 5 to 6.2, hasPast is that of 7.0, both
// together that of 7.2.
func decodeStream(form streamForm) func(*reader) store.Value {
	return func(r *reader) store.Value { return readStream(r, form) }
}

// readStream reads a stream. The length must match the nodes, and the last id must not be before that of an entry.
func readStream(r *reader, form streamForm) store.Value {
	s := store.NewStream()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		first := parseID(r, r.String())
		node := nodeReader{ListpackReader: rdb.ReadListpack(r.String()), first: first, s: s}
		if !node.read() {
			r.Fail()
		}
	}
	length, last := r.Length(), readID(r)
	maxDeleted, added := store.StreamID{}, length
	if form.hasPast {
		readID(r) // the first id is that of the first entry
		maxDeleted, added = readID(r), r.Length()
	}
	if length != uint64(s.Len()) || last.Compare(s.LastID()) < 0 {
		r.Fail()
	}
	s.Describe(last, maxDeleted, added)
	readGroups(r, s, form)
	return s
}

// readID reads what appendID writes.
func readID(r *reader) store.StreamID { return store.StreamID{Ms: r.Length(), Seq: r.Length()} }

// parseID is an id from the sixteen bytes of rawID.
func parseID(r *reader, b []byte) store.StreamID {
	if len(b) != nodeKeySize {
		r.Fail()
		return store.StreamID{}
	}
	return store.StreamID{Ms: binary.BigEndian.Uint64(b), Seq: binary.BigEndian.Uint64(b[8:])}
}

// nodeReader reads the entries of a node.
type nodeReader struct {
	*rdb.ListpackReader
	s      *store.Stream
	first  store.StreamID // the key of the node: ids of entries are relative to it
	names  [][]byte       // of the fields of the first entry
	fields [][]byte       // names and values of the current entry; its memory is used again for the next one
}

// read adds the entries to the stream and reports whether the node was right. A node may have only deleted ones left.
func (n *nodeReader) read() bool {
	count, deleted := n.NextInt(), n.NextInt()
	n.names = n.texts(n.names, n.NextInt())
	if n.NextInt() != 0 || n.Failed() || !n.s.BeginChunk(n.first, n.namesOnly()) {
		return false
	}
	for n.More() {
		isDeleted, ok := n.entry()
		if !ok {
			return false
		}
		if isDeleted {
			deleted--
		} else {
			count--
		}
	}
	n.s.EndChunk()
	return n.Done() && count == 0 && deleted == 0
}

// texts appends a number of elements to dst.
func (n *nodeReader) texts(dst [][]byte, count int64) [][]byte {
	for ; count > 0 && n.More(); count-- {
		dst = append(dst, n.Next())
	}
	if count != 0 {
		n.Fail()
	}
	return dst
}

// entry adds an entry, be it a deleted one. ok is false if the number of elements at its end is wrong, if it has no
// field, or if its id is not higher than that of the entry before.
func (n *nodeReader) entry() (isDeleted, ok bool) {
	flags := n.NextInt()
	id := store.StreamID{Ms: n.first.Ms + uint64(n.NextInt()), Seq: n.first.Seq + uint64(n.NextInt())}
	elements := int64(len(n.names)) + 3
	if flags&entrySameFields != 0 {
		n.valuesOnly()
	} else {
		count := n.NextInt()
		if count < 0 || count > 1<<32 {
			return false, false
		}
		n.fields = n.texts(n.fields[:0], 2*count)
		elements = 2*count + 4
	}
	if n.NextInt() != elements || n.Failed() || len(n.fields) == 0 {
		return false, false
	}
	isDeleted = flags&entryDeleted != 0
	return isDeleted, n.s.PutInChunk(id, n.fields, isDeleted)
}

// namesOnly is an entry with the names of the first and no values.
func (n *nodeReader) namesOnly() [][]byte {
	n.fields = n.fields[:0]
	for _, name := range n.names {
		n.fields = append(n.fields, name, nil)
	}
	return n.fields
}

// valuesOnly reads the fields of an entry with the names of the first.
func (n *nodeReader) valuesOnly() {
	n.fields = n.fields[:0]
	for _, name := range n.names {
		n.fields = append(n.fields, name, n.Next())
	}
}
