package dump

import (
	"cmp"
	"math"
	"slices"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// encodeHash writes a small hash as a listpack of fields and values in turn, in the order of their insertion, as
// redis-server does. The fields of a large one are in the order of our table, which depends on a random seed, as does
// that of redis-server.
func encodeHash(h *store.Hash, v rdb.Version) []byte {
	if h.Hides() {
		h = h.Clone().(*store.Hash) // which hides nothing
	}
	if v >= rdb.Redis74 && (h.Expires() || v < rdb.Valkey9 && h.PackedWithDeadlines()) {
		return encodeExpiring(h, v)
	}
	if h.Packed() {
		p := rdb.NewListpack()
		h.Each(func(field, value []byte) bool {
			p.Add(field)
			p.Add(value)
			return true
		})
		return rdb.AppendString([]byte{typeHashPacked}, p.Bytes())
	}
	b := rdb.AppendLength([]byte{typeHash}, uint64(h.Len()))
	h.Each(func(field, value []byte) bool {
		b = rdb.AppendString(rdb.AppendString(b, field), value)
		return true
	})
	return b
}

// fieldExpiry is a field and when it expires, in ms since the epoch; 0 for never.
type fieldExpiry struct {
	field, value []byte
	when         int64
}

// fieldsOf returns the fields of a hash, in its order, and the earliest expiry, 0 if none expires.
func fieldsOf(h *store.Hash) (fields []fieldExpiry, earliest int64) {
	earliest = math.MaxInt64
	h.Each(func(field, value []byte) bool {
		when, ok := h.ExpireAt(field)
		if ok {
			earliest = min(earliest, when)
		}
		fields = append(fields, fieldExpiry{field, value, when})
		return true
	})
	if !h.Expires() {
		earliest = 0
	}
	return fields, earliest
}

// encodeExpiring writes a hash of which some fields expire. Valkey writes the time of each field behind its value, -1
// for never.
func encodeExpiring(h *store.Hash, v rdb.Version) []byte {
	fields, earliest := fieldsOf(h)
	if v < rdb.Valkey9 {
		return encodeExpiringOfRedis(h, fields, earliest)
	}
	b := rdb.AppendLength([]byte{typeHashValkey}, uint64(len(fields)))
	for _, f := range fields {
		b = rdb.AppendString(rdb.AppendString(b, f.field), f.value)
		b = rdb.AppendMs(b, cmp.Or(f.when, -1))
	}
	return b
}

// encodeExpiringOfRedis writes the earliest time first. A small hash follows as a listpack of fields, values and times,
// the earliest first and the fields that do not expire last; of a large one each field follows how much later it
// expires, plus one, or 0.
func encodeExpiringOfRedis(h *store.Hash, fields []fieldExpiry, earliest int64) []byte {
	if h.Packed() {
		slices.SortStableFunc(fields, func(a, b fieldExpiry) int { return cmp.Compare(uint64(a.when-1), uint64(b.when-1)) })
		p := rdb.NewListpack()
		for _, f := range fields {
			p.Add(f.field)
			p.Add(f.value)
			p.AddInt(f.when)
		}
		return rdb.AppendString(rdb.AppendMs([]byte{typeHashTriples}, earliest), p.Bytes())
	}
	b := rdb.AppendLength(rdb.AppendMs([]byte{typeHashExpiring}, earliest), uint64(len(fields)))
	for _, f := range fields {
		later := uint64(0)
		if f.when != 0 {
			later = uint64(f.when-earliest) + 1
		}
		b = rdb.AppendString(rdb.AppendString(rdb.AppendLength(b, later), f.field), f.value)
	}
	return b
}

// decodeHash reads a hash as a table. A field that comes twice is an error, as in Redis.
func decodeHash(r *reader) store.Value {
	h := store.NewHash()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		if field := r.String(); !h.Set(r.thresholds, field, r.String()) {
			r.Fail()
		}
	}
	return h
}

// setField is a method of Hash.
type setField func(h *store.Hash, t *store.Thresholds, field, value []byte) bool

// decodeHashOf reads a hash from a packed form of fields and values in turn. For a zipmap Redis also checks the length
// of the elements against hash-max-listpack-value, so set is Hash.Update; for the other forms it checks their number
// only, so set is Hash.Load.
func decodeHashOf(open func([]byte) rdb.Elements, set setField) func(*reader) store.Value {
	return func(r *reader) store.Value {
		h, e := store.NewHash(), open(r.String())
		for e.More() {
			field := e.Next()
			if !e.More() || !set(h, r.thresholds, field, e.Next()) {
				r.Fail()
				return h
			}
		}
		if !e.Done() {
			r.Fail()
		}
		return h
	}
}

// load adds a field, which must not be there yet.
func (f fieldExpiry) load(r *reader, h *store.Hash, set setField) {
	if !set(h, r.thresholds, f.field, f.value) || f.when < 0 {
		r.Fail()
		return
	}
	if f.when != 0 {
		h.LoadDeadline(f.field, f.when)
	}
}

// decodeHashExpiring reads what encodeExpiringOfRedis writes of a large hash.
func decodeHashExpiring(r *reader) store.Value {
	h, earliest := store.NewHash(), r.Int(8)
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		f := fieldExpiry{when: int64(r.Length())}
		if f.when != 0 {
			f.when += earliest - 1
		}
		f.field, f.value = r.String(), r.String()
		f.load(r, h, (*store.Hash).Set)
	}
	return h
}

// decodeHashTriples reads what it writes of a small one. The time in front of the listpack follows from those in it.
func decodeHashTriples(r *reader) store.Value {
	r.Int(8)
	h, e := store.NewHash(), rdb.ReadListpack(r.String())
	h.PrepareDeadlines()
	for e.More() && !r.Failed() && !e.Failed() {
		f := fieldExpiry{field: slices.Clone(e.Next()), value: slices.Clone(e.Next())}
		f.when = e.NextInt()
		f.load(r, h, (*store.Hash).Load)
	}
	if !e.Done() {
		r.Fail()
	}
	return h
}

// decodeHashValkey reads what Valkey writes.
func decodeHashValkey(r *reader) store.Value {
	h := store.NewHash()
	h.Unpack()
	for n := r.Count(); n > 0 && !r.Failed(); n-- {
		f := fieldExpiry{field: r.String(), value: r.String()}
		if f.when = r.Int(8); f.when == -1 {
			f.when = 0
		}
		f.load(r, h, (*store.Hash).Set)
	}
	return h
}
