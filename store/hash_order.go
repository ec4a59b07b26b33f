package store

// A packed hash has its fields in the order of their deadlines, as Redis keeps them, and those without one at the end.
// Of fields with one deadline the last that got it is the first.

// sortIn moves a field of a packed hash, which has got a deadline, to its place.
func (h *Hash) sortIn(field []byte, when int64) {
	off := h.small.find(field, 2)
	end := h.small.skip(off, 2)
	to := 0
	for before := h.deadlines().countDue(when - 1); before > 0; before-- {
		if to == off {
			to = end
		}
		to = h.small.skip(to, 2)
	}
	if to != off && to != end {
		h.small.move(off, end, to)
	}
}

// sortOut moves a field of a packed hash, which has lost its deadline, to the end.
func (h *Hash) sortOut(field []byte) {
	off := h.small.find(field, 2)
	if end := h.small.skip(off, 2); end < len(h.small) {
		h.small.move(off, end, len(h.small))
	}
}
