package store

import (
	"encoding/binary"
	"sort"
	"strconv"
)

// intPack is a small set whose members are all integers: eight bytes each, ascending.
type intPack []byte

const intSize = 8

func (p intPack) len() int { return len(p) / intSize }

func (p intPack) at(i int) int64 { return int64(binary.LittleEndian.Uint64(p[i*intSize:])) }

// find returns where n is or belongs.
func (p intPack) find(n int64) (at int, found bool) {
	at = sort.Search(p.len(), func(i int) bool { return p.at(i) >= n })
	return at, at < p.len() && p.at(at) == n
}

// with returns p with n, which is not there yet, at its place.
func (p intPack) with(at int, n int64) intPack {
	p = append(p, make([]byte, intSize)...)
	copy(p[(at+1)*intSize:], p[at*intSize:])
	binary.LittleEndian.PutUint64(p[at*intSize:], uint64(n))
	return p
}

// without returns p without its i-th number.
func (p intPack) without(i int) intPack { return append(p[:i*intSize], p[(i+1)*intSize:]...) }

// each calls f with the text of every number until it returns false. Each text has memory of its own.
func (p intPack) each(f func(member []byte) bool) {
	const usual = 12 // bytes of the text of a number
	texts := make([]byte, 0, usual*p.len())
	for i := range p.len() {
		start := len(texts)
		texts = strconv.AppendInt(texts, p.at(i), 10)
		if !f(texts[start:len(texts):len(texts)]) {
			return
		}
	}
}

func (p intPack) text(i int) []byte { return strconv.AppendInt(nil, p.at(i), 10) }
