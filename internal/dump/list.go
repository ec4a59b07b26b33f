package dump

import (
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// The forms of a node of a list: a single element as it is, or a listpack.
const (
	nodePlain  = 1
	nodePacked = 2
)

// listWriter divides a list into nodes as redis-server does when the elements are pushed one by one to the end.
type listWriter struct {
	b     []byte // the nodes that are complete
	nodes uint64
	size  int           // of them, in memory
	node  *rdb.Listpack // nil if there is none yet
	fill  int64         // list-max-listpack-size
	plain int64         // elements from this size on have a node of their own
}

// encodeList writes the number of the nodes and the nodes, each with its form. List has chunks instead of nodes, so the
// nodes are made here, by the thresholds in force; a list that redis-server has built under others may have more or
// fewer.
func encodeList(l *store.List, v rdb.Version, t *store.Thresholds) []byte {
	w := writeList(l, v, t)
	return append(rdb.AppendLength([]byte{typeList2}, w.nodes), w.b...)
}

func writeList(l *store.List, v rdb.Version, t *store.Thresholds) *listWriter {
	w := &listWriter{fill: t.ListSize.Load(), plain: t.ListPlain.Load()}
	if v >= rdb.Redis72 && w.plain == store.ListPlainDefault { // what is too large for a listpack
		w.plain = w.maxSize() + 1
	}
	l.Walk(store.Span{Stop: l.Len()}, func(elem []byte) bool {
		w.add(elem)
		return true
	})
	w.flush()
	return w
}

// add puts an element into the current node or, if that is full, into a new one. A long element ends the current node
// and is a node of its own.
func (w *listWriter) add(elem []byte) {
	if int64(len(elem)) >= w.plain {
		w.flush()
		w.put(nodePlain, elem)
		return
	}
	if w.node != nil && !w.fits(len(elem)) {
		w.flush()
	}
	if w.node == nil {
		w.node = rdb.NewListpack()
	}
	w.node.Add(elem)
}

// What quicklist.c allows: a node of no more than so many bytes where there is no other bound; how much an element is
// taken to add to its own; and the largest sizes that -1, -2 and so on stand for.
const (
	nodeSafeSize    = 8192
	elementOverhead = 8
)

var nodeSizes = [...]int64{4096, 8192, 16384, 32768, 65536}

// fits reports whether the node takes one more element.
func (w *listWriter) fits(size int) bool {
	return int64(size+w.node.Size()+elementOverhead) <= w.maxSize() && (w.fill < 0 || int64(w.node.Len()) < w.fill)
}

// maxSize is the largest size of a node in bytes.
func (w *listWriter) maxSize() int64 {
	if w.fill < 0 {
		return nodeSizes[min(-w.fill, int64(len(nodeSizes)))-1]
	}
	return nodeSafeSize
}

func (w *listWriter) flush() {
	if w.node != nil {
		w.put(nodePacked, w.node.Bytes())
		w.node = nil
	}
}

func (w *listWriter) put(form uint64, content []byte) {
	w.nodes++
	w.size += len(content)
	w.b = rdb.AppendString(rdb.AppendLength(w.b, form), content)
}

// decodeNodes reads a list of Redis 7.0. An unknown form of a node is an error. As in the functions below, the nodes
// are not kept: the elements go into the chunks of a List.
func decodeNodes(r *reader) store.Value {
	l, nodes := store.NewList(), r.Count()
	for n := nodes; n > 0 && !r.Failed(); n-- {
		switch form := r.Length(); form {
		case nodePlain:
			l.Push(r.String(), store.Back)
		case nodePacked:
			pushAll(r, l, rdb.ReadListpack(r.String()))
		default:
			r.Fail()
		}
	}
	if nodes > 1 {
		l.Unpack()
	}
	return l
}

// decodeZiplists reads a list of Redis 3.2 to 6.2, whose nodes are ziplists.
func decodeZiplists(r *reader) store.Value {
	l := store.NewList()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		pushAll(r, l, rdb.ReadZiplist(r.String()))
	}
	l.Unpack()
	return l
}

// decodeZiplist reads a small list of before Redis 3.2: one ziplist.
func decodeZiplist(r *reader) store.Value {
	l := store.NewList()
	pushAll(r, l, rdb.ReadZiplist(r.String()))
	l.Unpack()
	return l
}

// decodeList reads a large list of before Redis 3.2: its elements one by one.
func decodeList(r *reader) store.Value {
	l := store.NewList()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		l.Push(r.String(), store.Back)
	}
	return l
}

// pushAll adds the elements of a packed form, which has to be valid to its end, to the end of a list.
func pushAll(r *reader, l *store.List, e rdb.Elements) {
	for e.More() {
		l.Push(e.Next(), store.Back)
	}
	if !e.Done() {
		r.Fail()
	}
}

// ListNodes returns the number of nodes that a list has in redis-server, and their size in bytes.
func ListNodes(l *store.List, v rdb.Version, t *store.Thresholds) (nodes, size int) {
	w := writeList(l, v, t)
	return int(w.nodes), w.size
}
