package store

import (
	"bytes"
	"encoding/binary"
	"math"
)

// scorePack is a small sorted set: a packed sequence whose elements are a member and the eight bytes of its score,
// sorted by score, then by member.
type scorePack struct {
	b     packed
	count int
}

const scoreSize = 8

// at returns the member and the score at offset off, and the offset behind them.
func (p *scorePack) at(off int) (member []byte, score float64, next int) {
	elem, next := p.b.at(off)
	end := len(elem) - scoreSize
	return elem[:end:end], math.Float64frombits(binary.LittleEndian.Uint64(elem[end:])), next
}

// find returns the offset, the rank and the score of a member; the offset is -1 if there is none such.
func (p *scorePack) find(member []byte) (off, rank int, score float64) {
	for off < len(p.b) {
		got, score, next := p.at(off)
		if bytes.Equal(got, member) {
			return off, rank, score
		}
		off, rank = next, rank+1
	}
	return -1, 0, 0
}

// search returns the rank of the first element that satisfies reached, which holds from some rank on, and its offset.
func (p *scorePack) search(reached func(score float64, member []byte) bool) (off, rank int) {
	for off < len(p.b) {
		member, score, next := p.at(off)
		if reached(score, member) {
			break
		}
		off, rank = next, rank+1
	}
	return off, rank
}

// insert adds a member that is not there yet. Like Redis it forgets the sign of a zero.
func (p *scorePack) insert(member []byte, score float64) {
	off, _ := p.search(func(s float64, m []byte) bool { return rankedBefore(score, member, s, m) })
	var buf [64 + scoreSize]byte // enough for zset-max-listpack-value by default; append allocates beyond
	elem := binary.LittleEndian.AppendUint64(append(buf[:0], member...), math.Float64bits(score+0))
	p.b = p.b.spliced(off, off, elem)
	p.count++
}

// cut removes n elements from offset off on.
func (p *scorePack) cut(off, n int) {
	p.b = p.b.cut(off, p.b.skip(off, n))
	p.count -= n
}

// walk calls f for the elements of ranks start to stop-1 until it returns false.
func (p *scorePack) walk(start, stop int, f func(member []byte, score float64) bool) {
	for off, left := p.b.skip(0, start), stop-start; left > 0; left-- {
		member, score, next := p.at(off)
		if !f(member, score) {
			return
		}
		off = next
	}
}

// walkBack is walk from rank stop-1 down to start.
func (p *scorePack) walkBack(start, stop int, f func(member []byte, score float64) bool) {
	offsets := make([]int, 0, 128) // as many as there are by default
	off := p.b.skip(0, start)
	for range stop - start {
		offsets = append(offsets, off)
		off = p.b.skip(off, 1)
	}
	for i := stop - start - 1; i >= 0; i-- {
		if member, score, _ := p.at(offsets[i]); !f(member, score) {
			return
		}
	}
}
