package rdb

import "sync"

// compressLZF compresses b; nil if that does not save at least four bytes. It finds the same repetitions as
// redis-server, whose table has the last position of every three bytes: the payloads are the same byte for byte, except
// where redis-server, which does not clear its table, finds an older position.
func compressLZF(b []byte) []byte {
	p := lzfEncoder{in: b, out: make([]byte, 1, len(b)), places: lzfTables.Get().(*lzfTable)}
	fits := p.encode(len(b) - 4)
	p.forget()
	lzfTables.Put(p.places)
	if !fits {
		return nil
	}
	return p.out
}

// lzfTableBits is that of redis-server (HLOG in lzfP.h): with another size other repetitions would be found.
const lzfTableBits = 16

// lzfTable holds the last position of three bytes plus one, by their hash.
type lzfTable [1 << lzfTableBits]int32

// lzfTables are tables to use again, all zero: to clear one takes longer than to compress a short string.
var lzfTables = sync.Pool{New: func() any { return new(lzfTable) }}

// lzfEncoder is the state of compressLZF. The output begins with the control byte of the first literals. Literals are
// written at once, their control byte when their number is known.
type lzfEncoder struct {
	in, out  []byte
	literals int
	places   *lzfTable
}

// slot is where the table keeps the place of the three bytes at position i.
func (p *lzfEncoder) slot(i int) *int32 {
	v := uint32(p.in[i])<<16 | uint32(p.in[i+1])<<8 | uint32(p.in[i+2])
	return &p.places[(v>>(24-lzfTableBits)-v*5)&(1<<lzfTableBits-1)]
}

// lastPosition returns the last position of the three bytes at i, or -1, and records i.
func (p *lzfEncoder) lastPosition(i int) int {
	slot := p.slot(i)
	before := int(*slot) - 1
	*slot = int32(i + 1)
	return before
}

// forget makes all of the table zero again.
func (p *lzfEncoder) forget() {
	if len(p.in) > len(p.places) {
		clear(p.places[:])
		return
	}
	for i := range len(p.in) - 2 {
		*p.slot(i) = 0
	}
}

// encode compresses all, and reports false as soon as more than limit bytes are needed.
func (p *lzfEncoder) encode(limit int) bool {
	i := 0
	for i < len(p.in)-2 {
		from := p.lastPosition(i)
		if !p.repeats(from, i) {
			if len(p.out) >= limit {
				return false
			}
			p.literal(p.in[i])
			i++
			continue
		}
		if p.closing()+3+1 >= limit {
			return false
		}
		i = p.repeat(from, i)
	}
	if len(p.out)+3 > limit { // at most three literals are left, of which one may need a new control byte
		return false
	}
	for ; i < len(p.in); i++ {
		p.literal(p.in[i])
	}
	p.endLiterals()
	return true
}

// repeats reports whether the three bytes at i are those at from, near enough to be referred to. The first byte of all
// is never referred to, as in redis-server.
func (p *lzfEncoder) repeats(from, i int) bool {
	return from > 0 && i-from <= lzfMaxDistance &&
		p.in[from] == p.in[i] && p.in[from+1] == p.in[i+1] && p.in[from+2] == p.in[i+2]
}

// closing is how long the output is once the control byte of no literals is taken away.
func (p *lzfEncoder) closing() int {
	if p.literals == 0 {
		return len(p.out) - 1
	}
	return len(p.out)
}

// literal writes a byte as it is.
func (p *lzfEncoder) literal(b byte) {
	p.out = append(p.out, b)
	if p.literals++; p.literals == lzfMaxLiteral {
		p.endLiterals()
		p.out = append(p.out, 0)
	}
}

// endLiterals fills in the control byte of the literals, or takes it away if there are none.
func (p *lzfEncoder) endLiterals() {
	if p.literals == 0 {
		p.out = p.out[:len(p.out)-1]
		return
	}
	p.out[len(p.out)-p.literals-1] = byte(p.literals - 1)
	p.literals = 0
}

// repeat writes a reference from position i to an earlier one and returns the position after the repeated bytes, of
// which only the last two positions are recorded.
func (p *lzfEncoder) repeat(from, i int) int {
	longest := min(len(p.in)-i-2, lzfMaxRepeat)
	if longest == 17 || longest == 18 { // redis-server compares the first nineteen without a look at the bound
		longest = 19
	}
	length := 3
	for length < longest && p.in[from+length] == p.in[i+length] {
		length++
	}
	p.endLiterals()
	distance, more := i-from-1, length-2
	if more < lzfLong {
		p.out = append(p.out, byte(distance>>8|more<<5), byte(distance))
	} else {
		p.out = append(p.out, byte(distance>>8|lzfLong<<5), byte(more-lzfLong), byte(distance))
	}
	p.out = append(p.out, 0) // the control byte of the next literals
	i += length
	if i < len(p.in)-2 {
		p.lastPosition(i - 2)
		p.lastPosition(i - 1)
	}
	return i
}
