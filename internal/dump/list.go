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

func encodeList(l *store.List, t *store.Thresholds) []byte {
	w := writeList(l, t)
	return append(rdb.AppendLength([]byte{typeList2}, w.nodes), w.b...)
}

func writeList(l *store.List, t *store.Thresholds) *listWriter {
	w := &listWriter{fill: t.ListSize.Load(), plain: t.ListPlain.Load()}
	l.Walk(store.Span{Stop: l.Len()}, func(elem []byte) bool {
		w.add(elem)
		return true
	})
	w.flush()
	return w
}

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

var nodeSizes = [...]int{4096, 8192, 16384, 32768, 65536}

// fits reports whether the node takes one more element.
func (w *listWriter) fits(size int) bool {
	size += w.node.Size() + elementOverhead
	if w.fill < 0 {
		return size <= nodeSizes[min(-w.fill, int64(len(nodeSizes)))-1]
	}
	return size <= nodeSafeSize && int64(w.node.Len()) < w.fill
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

func decodeNodes(r *reader) store.Value {
	l := store.NewList()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		switch form := r.Length(); form {
		case nodePlain:
			l.Push(r.String(), store.Back)
		case nodePacked:
			pushAll(r, l, rdb.ReadListpack(r.String()))
		default:
			r.Fail()
		}
	}
	return l
}

func decodeZiplists(r *reader) store.Value {
	l := store.NewList()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		pushAll(r, l, rdb.ReadZiplist(r.String()))
	}
	return l
}

func decodeZiplist(r *reader) store.Value {
	l := store.NewList()
	pushAll(r, l, rdb.ReadZiplist(r.String()))
	return l
}

func decodeList(r *reader) store.Value {
	l := store.NewList()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		l.Push(r.String(), store.Back)
	}
	return l
}

func pushAll(r *reader, l *store.List, e rdb.Elements) {
	for e.More() {
		l.Push(e.Next(), store.Back)
	}
	if !e.Done() {
		r.Fail()
	}
}

// ListNodes returns the number of nodes of a list, and their size in bytes.
func ListNodes(l *store.List, t *store.Thresholds) (nodes, size int) {
	w := writeList(l, t)
	return int(w.nodes), w.size
}
