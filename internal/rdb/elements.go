package rdb

// Elements reads a packed form, a sequence of short byte strings, one by one. Once something is wrong it returns no
// more of them, and Done reports it: a caller may add all elements and check once.
type Elements interface {
	// More reports whether there is another element.
	More() bool
	// Next is the next element, which must not be modified.
	Next() []byte
	// Done reports whether all was read and nothing was wrong.
	Done() bool
}

// elements is what the readers of packed forms have in common.
type elements struct {
	Reader     // of what follows the header
	left   int // elements, or unknownCount
}

// unknownCount stands in the header of a packed form that has more elements than fit there.
const unknownCount = 1<<16 - 1

// endMark closes a packed form.
const endMark = 0xff

// More implements Elements.
func (e *elements) More() bool { return len(e.rest) > 1 }

// counted subtracts one element from those that the header has announced, and fails if there are more.
func (e *elements) counted() {
	if e.left == unknownCount {
		return
	}
	if e.left--; e.left < 0 {
		e.Fail()
	}
}

// Done implements Elements.
func (e *elements) Done() bool {
	return !e.failed && len(e.rest) == 1 && e.rest[0] == endMark && (e.left == 0 || e.left == unknownCount)
}
