package lockview

import (
	"strconv"

	"github.com/minilockd/minilockd/store"
)

// ReadKey reads a key of this server within a transaction that holds its shard.
func ReadKey(tx *store.Tx, name string) (v Value) {
	key := []byte(name)
	entry := tx.Lookup(key, store.Inspect)
	if !entry.Exists() {
		return v
	}
	v.read(entry.Value())
	v.TTL = ttlOf(tx, entry)
	return v
}

// ttlOf returns the TTL of a key in ms, -1 for none.
func ttlOf(tx *store.Tx, e store.Entry) int64 {
	at, ok := e.ExpireAt()
	if !ok {
		return -1
	}
	return at - tx.Now()
}

// read copies a value, unless it is too large for a lock.
func (v *Value) read(from store.Value) {
	switch from := from.(type) {
	case *store.String:
		if len(from.Bytes()) <= MaxText {
			v.Type, v.Text = String, string(from.Bytes())
		}
	case *store.Hash:
		if from.Len() <= MaxElems {
			v.Type, v.Elems = Hash, make([]string, 0, 2*from.Len())
			from.Each(func(field, value []byte) bool {
				v.Elems = append(v.Elems, string(field), string(value))
				return true
			})
		}
	case *store.List:
		if from.Len() <= MaxElems {
			v.Type, v.Elems = List, make([]string, 0, from.Len())
			from.Walk(store.Span{Stop: from.Len()}, func(elem []byte) bool {
				v.Elems = append(v.Elems, string(elem))
				return true
			})
		}
	case *store.ZSet:
		if from.Len() <= MaxElems {
			v.Type, v.Elems = SortedSet, make([]string, 0, 2*from.Len())
			from.Walk(store.Span{Stop: from.Len()}, func(member []byte, score float64) bool {
				v.Elems = append(v.Elems, string(member), strconv.FormatFloat(score, 'f', -1, 64))
				return true
			})
		}
	}
}
