package store

import "bytes"

// Span is a range of ranks, or of positions in a list: from Start to Stop, Stop not included. It is empty if both are
// equal.
type Span struct{ Start, Stop int }

// Len is the number of elements of the range.
func (s Span) Len() int { return s.Stop - s.Start }

// SpanOf turns a range as Redis writes it, both ends included and negative ones counted from the end, into a Span of a
// collection of the given length.
func SpanOf(start, stop, length int) Span {
	if start < 0 {
		start = max(0, start+length)
	}
	if stop < 0 {
		stop += length
	}
	stop = min(stop, length-1)
	if start > stop {
		return Span{}
	}
	return Span{start, stop + 1}
}

// Reversed is the range that has the same ranks counted from the other end of a collection of the given length.
func (s Span) Reversed(length int) Span { return Span{length - s.Stop, length - s.Start} }

// Limited leaves count elements behind the first offset ones, counted from the end if reverse is set: all the others if
// count is negative, none if offset is.
func (s Span) Limited(offset, count int, reverse bool) Span {
	if offset < 0 || offset >= s.Len() {
		return Span{}
	}
	if count < 0 || count > s.Len()-offset {
		count = s.Len() - offset
	}
	if reverse {
		return Span{s.Stop - offset - count, s.Stop - offset}
	}
	return Span{s.Start + offset, s.Start + offset + count}
}

// All is the range of all elements.
func (z *ZSet) All() Span { return Span{0, z.Len()} }

// ScoreRange is a range of scores, from Min to Max. An open end is not included.
type ScoreRange struct {
	Min, Max         float64
	MinOpen, MaxOpen bool
}

func (r *ScoreRange) reaches(score float64) bool {
	return score > r.Min || score == r.Min && !r.MinOpen
}

func (r *ScoreRange) passed(score float64) bool {
	return score > r.Max || score == r.Max && r.MaxOpen
}

// ByScore is the range of the elements whose scores are in r.
func (z *ZSet) ByScore(r ScoreRange) Span {
	return z.between(
		func(score float64, _ []byte) bool { return r.reaches(score) },
		func(score float64, _ []byte) bool { return r.passed(score) })
}

// LexBound is an end of a range of members.
type LexBound struct {
	Member []byte
	Open   bool // Member itself is not included
	Beyond int  // -1: before every member; 1: behind every member
}

// LexRange is a range of members in the order of their bytes.
type LexRange struct{ Min, Max LexBound }

// compare is negative for a member before the bound, and 0 for one that equals it.
func (b *LexBound) compare(member []byte) int {
	if b.Beyond != 0 {
		return -b.Beyond
	}
	return bytes.Compare(member, b.Member)
}

// ByLex is the range of the elements whose members are in r, of a set whose scores are all the same.
func (z *ZSet) ByLex(r LexRange) Span {
	return z.between(
		func(_ float64, member []byte) bool {
			c := r.Min.compare(member)
			return c > 0 || c == 0 && !r.Min.Open
		},
		func(_ float64, member []byte) bool {
			c := r.Max.compare(member)
			return c > 0 || c == 0 && r.Max.Open
		})
}

// between is the range from the first element that satisfies reached to the first that satisfies passed.
func (z *ZSet) between(reached, passed func(score float64, member []byte) bool) Span {
	start, stop := z.search(reached), z.search(passed)
	if start >= stop {
		return Span{}
	}
	return Span{start, stop}
}

// search returns the rank of the first element that satisfies reached, which holds from some rank on.
func (z *ZSet) search(reached func(score float64, member []byte) bool) int {
	if z.big == nil {
		_, rank := z.small.search(reached)
		return rank
	}
	return z.big.order.search(func(e rankEntry) bool { return reached(e.score, bytesOf(e.n.key)) })
}
