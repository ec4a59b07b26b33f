package dump

import (
	"encoding/binary"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// A stream is a sequence of nodes, each under the id of its first entry. A node is a listpack: how many entries it has, how many
// it had more, the number and the names of the fields of the first entry, and a zero; then the entries: flags, how much the id
// is beyond that of the node, the number of the fields unless they are those of the first entry, names and values, and at last
// how many elements all that is.
const (
	entryDeleted    = 1
	entrySameFields = 2

	nodeKeySize = 16
)

// streamWriter divides a stream into nodes as redis-server does when the entries are added one by one.
type streamWriter struct {
	b          []byte // the nodes that are complete
	nodes      uint64
	thresholds *store.Thresholds

	node  *rdb.Listpack // all of it but the number of entries; nil if there is none yet
	count int64         // entries
	first store.StreamID
	names [][]byte
}

func encodeStream(s *store.Stream, t *store.Thresholds) []byte {
	w := streamWriter{thresholds: t}
	s.Walk(store.StreamID{}, store.MaxStreamID, func(id store.StreamID, f store.Fields) bool {
		w.add(id, f)
		return true
	})
	w.flush()
	b := append(rdb.AppendLength([]byte{typeStream}, w.nodes), w.b...)
	b = rdb.AppendLength(b, uint64(s.Len()))
	first, _ := s.First()
	for _, id := range []store.StreamID{s.LastID(), first, s.MaxDeletedID()} {
		b = appendID(b, id)
	}
	b = rdb.AppendLength(b, s.EntriesAdded())
	return appendGroups(b, s)
}

func appendID(b []byte, id store.StreamID) []byte {
	return rdb.AppendLength(rdb.AppendLength(b, id.Ms), id.Seq)
}

// rawID is an id as a key of nodes and of pending entries.
func rawID(id store.StreamID) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, nodeKeySize), id.Ms)
	return binary.BigEndian.AppendUint64(b, id.Seq)
}

func (w *streamWriter) add(id store.StreamID, f store.Fields) {
	if w.node == nil || w.full(f) {
		w.flush()
		w.begin(id, f)
	}
	same := w.hasNames(f)
	flags, elements := int64(0), 2*f.Len()+4
	if same {
		flags, elements = entrySameFields, f.Len()+3
	}
	w.node.AddInt(flags)
	w.node.AddInt(int64(id.Ms - w.first.Ms))
	w.node.AddInt(int64(id.Seq - w.first.Seq))
	if !same {
		w.node.AddInt(int64(f.Len()))
	}
	f.Each(func(name, value []byte) {
		if !same {
			w.node.Add(name)
		}
		w.node.Add(value)
	})
	w.node.AddInt(int64(elements))
	w.count++
}

// maxNodeBytes bounds a node where stream-node-max-bytes does not.
const maxNodeBytes = 1 << 30

// full reports whether an entry goes to a new node.
func (w *streamWriter) full(f store.Fields) bool {
	size := int64(w.node.Size() + rdb.ListpackInt(w.count))
	f.Each(func(name, value []byte) { size += int64(len(name) + len(value)) })
	most := w.thresholds.StreamBytes.Load()
	if most == 0 || most > maxNodeBytes {
		most = maxNodeBytes
	}
	entries := w.thresholds.StreamEntries.Load()
	return size >= most || entries > 0 && w.count >= entries
}

// begin starts a node for an entry.
func (w *streamWriter) begin(id store.StreamID, f store.Fields) {
	w.node, w.count, w.first, w.names = rdb.NewListpack(), 0, id, w.names[:0]
	w.node.AddInt(0)
	w.node.AddInt(int64(f.Len()))
	f.Each(func(name, _ []byte) {
		w.node.Add(name)
		w.names = append(w.names, name)
	})
	w.node.AddInt(0)
}

func (w *streamWriter) hasNames(f store.Fields) bool {
	if f.Len() != len(w.names) {
		return false
	}
	i, same := 0, true
	f.Each(func(name, _ []byte) {
		same = same && string(name) == string(w.names[i])
		i++
	})
	return same
}

func (w *streamWriter) flush() {
	if w.node == nil {
		return
	}
	whole := rdb.NewListpack()
	whole.AddInt(w.count)
	whole.Join(w.node)
	w.nodes++
	w.b = rdb.AppendString(rdb.AppendString(w.b, rawID(w.first)), whole.Bytes())
	w.node = nil
}
