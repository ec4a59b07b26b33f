package hll

import "slices"

// A register of a sparse sketch is changed by replacing opcodes. Which ones come out is visible in GET, DUMP and
// PFDEBUG, so it has to be done as redis-server does it, even where it leaves more opcodes than necessary.

// spot is the run of a sparse sketch that has a certain register.
type spot struct {
	run
	at       int // position of the opcode
	previous int // of the opcode before it, or of the first one
	before   int // registers before the run that is searched
}

// locate finds the run of a register.
func (s Sketch) locate(index int) (spot, error) {
	first, previous := 0, headerSize
	for at := headerSize; at < len(s); {
		r := runAt(s[at:])
		if index < first+r.length {
			return spot{run: r, at: at, previous: previous, before: index - first}, nil
		}
		previous = at
		at += r.size
		first += r.length
	}
	return spot{}, ErrCorrupt
}

// raiseSparse splits the run of the register in up to three, then joins adjacent runs that have become equal.
func (s Sketch) raiseSparse(index int, value uint8, maxSparse int) (_ Sketch, changed bool, err error) {
	if value > maxRunValue {
		return s.raisePromoted(index, value)
	}
	old, err := s.locate(index)
	if err != nil || old.value >= value {
		return s, false, err
	}
	var buf [5]byte
	ops := appendRun(buf[:0], run{value: old.value, length: old.before})
	ops = appendRun(ops, run{value: value, length: 1})
	ops = appendRun(ops, run{value: old.value, length: old.length - old.before - 1})
	if grow := len(ops) - old.size; grow > 0 && len(s)+grow > maxSparse {
		return s.raisePromoted(index, value)
	}
	if old.at+old.size > len(s) {
		s = append(s, 0) // the opcode was cut off, and had been read like this
	}
	s = slices.Replace(s, old.at, old.at+old.size, ops...)
	return s.join(old.previous), true, nil
}

// raisePromoted turns the sketch dense first.
func (s Sketch) raisePromoted(index int, value uint8) (_ Sketch, changed bool, err error) {
	d, err := s.ToDense()
	if err != nil {
		return s, false, err
	}
	return d, d.raiseDense(index, value), nil
}

// join merges adjacent runs with the same value, in the few opcodes from a position on that a split may have changed.
// Runs of zeros are not merged, as in Redis.
func (s Sketch) join(at int) Sketch {
	const reach = 5
	for step := 0; step < reach && at < len(s); step++ {
		r := runAt(s[at:])
		if r.value == 0 || at+1 == len(s) {
			at += r.size
			continue
		}
		next := runAt(s[at+1:])
		if next.value != r.value || next.length+r.length > maxValueRun {
			at++
			continue
		}
		s = slices.Delete(s, at, at+1)
		appendRun(s[at:at], run{value: r.value, length: r.length + next.length})
	}
	return s
}
