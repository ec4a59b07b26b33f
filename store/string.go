package store

import (
	"slices"
	"unsafe"
)

// String is a binary-safe string of up to 512 MB. The byte behind the content, where there is room for one, is
// rawMark if the string was changed in place, and textMark if it is a number that stays text: to remember that takes
// no memory.
type String struct{ b []byte }

const (
	rawMark  = 1
	textMark = 2
)

// MaxStringSize is the longest string Redis stores, in bytes, where proto-max-bulk-len is what it is by default.
const MaxStringSize = 512 << 20

// NewString returns a string that holds a copy of b.
func NewString(b []byte) *String {
	s := newString(len(b))
	s.b = append(s.b, b...)
	return s
}

// Bytes is the content. It must not be modified, and is valid until the transaction ends.
func (s *String) Bytes() []byte { return s.b }

// Set replaces the content by a copy of b. It overwrites what Bytes returned before, unless b leaves most of that
// memory idle.
func (s *String) Set(b []byte) {
	if cap(s.b) > 2*len(b)+stringMaxIdle {
		s.b = make([]byte, 0, len(b))
	}
	s.b = append(s.b[:0], b...)
	s.mark(0)
}

// SetText is Set for a number that Redis keeps as text, also where it is an integer (INCRBYFLOAT).
func (s *String) SetText(b []byte) {
	s.b = append(slices.Grow(s.b[:0], len(b)+1), b...)
	s.mark(textMark)
}

// Text reports whether SetText has set the string.
func (s *String) Text() bool { return s.marked(textMark) }

// Raw reports whether the string was changed in place since it was set: then Redis no longer keeps it in a short form
// (OBJECT ENCODING raw).
func (s *String) Raw() bool { return s.marked(rawMark) }

func (s *String) marked(m byte) bool {
	end := len(s.b)
	return cap(s.b) > end && s.b[:end+1][end] == m
}

func (s *String) mark(m byte) {
	if end := len(s.b); cap(s.b) > end {
		s.b[:end+1][end] = m
	}
}

// Take makes b the content without copying it, which is a change in place. The caller must not use b afterwards.
func (s *String) Take(b []byte) {
	s.b = slices.Grow(b, 1)
	s.mark(rawMark)
}

// stringMaxIdle is how many bytes a string may keep in reserve beyond twice its length.
const stringMaxIdle = 64

// SetString is Put for a copy of b. A string that is there already is overwritten in its own memory.
func (tx *Tx) SetString(key, b []byte, keepTTL bool) {
	e := tx.find(key, true)
	s, ok := e.Value().(*String)
	if !ok {
		tx.Put(key, NewString(b), keepTTL)
		return
	}
	tx.beforeChange(e.n)
	tx.ReportOverwritten(key, SameType)
	tx.markUsed(e.n, ForWrite)
	s.Set(b)
	if !keepTTL {
		tx.setExpiry(e.n, key, 0)
	}
}

// Append adds b to the end.
func (s *String) Append(b []byte) {
	s.b = append(slices.Grow(s.b, len(b)+1), b...)
	s.mark(rawMark)
}

// Writable returns the content as a slice of at least n bytes that may be modified in place, zero-padded as necessary.
func (s *String) Writable(n int) []byte {
	old := len(s.b)
	s.b = slices.Grow(s.b, max(0, n-old)+1)
	if n > old {
		s.b = s.b[:n]
		clear(s.b[old:])
	}
	s.mark(rawMark)
	return s.b
}

// Type implements Value.
func (s *String) Type() Type { return TypeString }

// Clone implements Value.
func (s *String) Clone() Value {
	c := new(String)
	switch {
	case s.Raw():
		c.Append(s.b)
	case s.Text():
		c.SetText(s.b)
	default:
		return NewString(s.b)
	}
	return c
}

// Weight implements Value.
func (s *String) Weight() int { return int(unsafe.Sizeof(*s)) + len(s.b) }
