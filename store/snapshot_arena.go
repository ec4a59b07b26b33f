package store

// arena is where a snapshot keeps the values of most keys, strings and packed hashes: since it never changes and is
// freed as a whole, they need no allocation each. The zero value is empty.
type arena struct {
	bytes   []byte
	strings []String
	hashes  []Hash

	values, size int // how many values, and how many bytes, it allocates at a time

	prefetched byte // see prefetch
}

// The largest sizes of what an arena allocates at a time.
const (
	arenaBytes  = 64 << 10
	arenaValues = 512
)

// expect prepares for a number of keys with so many bytes in all.
func (a *arena) expect(keys int, bytes int64) {
	a.values, a.size = min(keys, arenaValues), int(min(bytes, arenaBytes))
}

// clone is Value.Clone.
func (a *arena) clone(v Value) Value {
	switch v := v.(type) {
	case *String:
		s := grown(&a.strings, a.values)
		size := len(v.b)
		if v.Raw() || v.Text() {
			size++ // the mark
		}
		s.b = a.copy(v.b[:size])[:len(v.b)]
		return s
	case *Hash:
		if v.more == nil {
			h := grown(&a.hashes, a.values)
			h.small = a.copy(v.small)
			return h
		}
	}
	return v.Clone()
}

// grown returns one more value of a slice, at an address that stays, in a new slice with some room if it is full.
func grown[T any](s *[]T, room int) *T {
	if len(*s) == cap(*s) {
		*s = make([]T, 0, room)
	}
	*s = (*s)[:len(*s)+1]
	return &(*s)[len(*s)-1]
}

// copy returns a copy of b without capacity beyond its length.
func (a *arena) copy(b []byte) []byte {
	if len(b) > a.size/8 {
		own := make([]byte, len(b))
		copy(own, b)
		return own
	}
	if len(b) > cap(a.bytes)-len(a.bytes) {
		a.bytes = make([]byte, 0, a.size)
	}
	from := len(a.bytes)
	a.bytes = append(a.bytes, b...)
	return a.bytes[from:len(a.bytes):len(a.bytes)]
}
