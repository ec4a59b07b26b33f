// Package textdump prints keys as text that a person can read and compare: the order of what has none is that of the
// alphabet, and each key has the lines that belong to it and no others.
package textdump

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// printer appends lines to a text.
type printer struct {
	text []byte
	now  int64 // ms since the epoch: fields whose time has come are not printed
}

// Print returns all keys of all databases: "" if there are none. The transaction must hold all shards.
//
// A database begins with its number, a key with its name, its type and when it expires, in ms since 1970. The time
// that is left is not printed: it would differ from one text to the next for every key.
func Print(tx *store.Tx) string {
	p := printer{now: tx.Now()}
	for db := range tx.Store().Databases() {
		if tx.Size(db) > 0 {
			tx.In(db, func() { p.database(tx) })
		}
	}
	return string(p.text)
}

// namedEntry is a key with its name.
type namedEntry struct {
	name []byte
	store.Entry
}

func (p *printer) database(tx *store.Tx) {
	var keys []namedEntry
	tx.Each(func(key []byte, e store.Entry) bool {
		keys = append(keys, namedEntry{key, e})
		return true
	})
	if len(keys) == 0 {
		return // the time of all has come
	}
	slices.SortFunc(keys, func(a, b namedEntry) int { return bytes.Compare(a.name, b.name) })
	if len(p.text) > 0 {
		p.put("\n")
	}
	p.put("# database ", strconv.Itoa(tx.DB()), "\n")
	for _, k := range keys {
		p.key(k)
	}
}

func (p *printer) put(parts ...string) {
	for _, part := range parts {
		p.text = append(p.text, part...)
	}
}

// key prints a key, behind an empty line.
func (p *printer) key(k namedEntry) {
	p.put("\n", words.Quote(k.name), " ", string(k.Value().Type()))
	if s, ok := k.Value().(*store.Stream); ok {
		p.put(" last ", id(s.LastID()), " added ", strconv.FormatUint(s.EntriesAdded(), 10), " deleted ",
			id(s.MaxDeletedID()))
	}
	p.expiry(k.ExpireAt())
	p.put("\n")
	p.value(k.Value())
}

func (p *printer) expiry(ms int64, expires bool) {
	if expires {
		p.put(" expires ", strconv.FormatInt(ms, 10))
	}
}

// element prints a line of quoted words.
func (p *printer) element(elements ...[]byte) {
	p.put(" ")
	for _, e := range elements {
		p.put(" ", words.Quote(e))
	}
	p.put("\n")
}

func (p *printer) value(v store.Value) {
	switch v := v.(type) {
	case *store.String:
		p.element(v.Bytes())
	case *store.List:
		v.Walk(store.Span{Stop: v.Len()}, func(elem []byte) bool { p.element(elem); return true })
	case *store.ZSet:
		v.Walk(v.All(), func(member []byte, score float64) bool {
			p.put("  ", string(resp.AppendDouble(nil, score, resp.Digits17)), " ", words.Quote(member), "\n")
			return true
		})
	case *store.Set:
		p.set(v)
	case *store.Hash:
		p.hash(v)
	case *store.Stream:
		p.stream(v)
	}
}

func (p *printer) set(s *store.Set) {
	var members [][]byte
	s.Each(func(member []byte) bool { members = append(members, bytes.Clone(member)); return true })
	slices.SortFunc(members, bytes.Compare)
	for _, member := range members {
		p.element(member)
	}
}

func (p *printer) hash(h *store.Hash) {
	var fields [][]byte
	h.Each(func(field, _ []byte) bool { fields = append(fields, field); return true })
	slices.SortFunc(fields, bytes.Compare)
	for _, field := range fields {
		when, expires := h.ExpireAt(field)
		if expires && when <= p.now {
			continue
		}
		value, _ := h.Get(field)
		p.put("  ", words.Quote(field), " ", words.Quote(value))
		p.expiry(when, expires)
		p.put("\n")
	}
}

// id is an id of a stream.
func id(i store.StreamID) string { return string(i.Append(nil)) }

func (p *printer) stream(s *store.Stream) {
	s.Walk(store.StreamID{}, store.MaxStreamID, func(i store.StreamID, f store.Fields) bool {
		p.put("  ", id(i))
		f.Each(func(field, value []byte) { p.put(" ", words.Quote(field), " ", words.Quote(value)) })
		p.put("\n")
		return true
	})
	for g := range s.Groups {
		p.put("  group ", words.Quote([]byte(g.Name())), " last ", id(g.LastID()))
		if read := g.EntriesRead(); read != store.EntriesReadUnknown {
			p.put(" read ", strconv.FormatInt(read, 10))
		}
		p.put("\n")
		for c := range g.Consumers {
			p.consumer(c)
		}
	}
}

// consumer prints a consumer with its pending entries.
func (p *printer) consumer(c *store.StreamConsumer) {
	p.put("    consumer ", words.Quote([]byte(c.Name())), " seen ", strconv.FormatInt(c.Seen(), 10), "\n")
	for e := range c.Pending {
		p.put("      pending ", id(e.ID()), " delivered ", strconv.FormatInt(e.DeliveredAt, 10),
			" count ", strconv.FormatInt(e.DeliveryCount, 10), "\n")
	}
}
