package store

import "math/rand/v2"

// The methods Pick call f n times with an element chosen at random, which may come more than once. There must be one.
// A small form is walked once before: finding the i-th element in it takes a walk anyway.

// Pick picks members.
func (s *Set) Pick(n int, f func(member []byte)) {
	if s.form == setInTable {
		s.table.members.pick(n, func(n *node[struct{}]) { f(bytesOf(n.key)) })
		return
	}
	all := make([][]byte, 0, s.Len())
	s.Each(func(member []byte) bool { all = append(all, member); return true })
	for range n {
		f(all[rand.IntN(len(all))])
	}
}

// Pick picks fields and their values.
func (h *Hash) Pick(n int, f func(field, value []byte)) {
	if h = h.visible(); h.Len() == 0 {
		return
	}
	if t := h.table(); t != nil {
		t.pick(n, func(n *node[[]byte]) { f(bytesOf(n.key), n.val) })
		return
	}
	var all [][2][]byte
	h.Each(func(field, value []byte) bool { all = append(all, [2][]byte{field, value}); return true })
	for range n {
		one := all[rand.IntN(len(all))]
		f(one[0], one[1])
	}
}

// Pick picks members and their scores.
func (z *ZSet) Pick(n int, f func(member []byte, score float64)) {
	if z.big != nil {
		z.big.scores.pick(n, func(n *node[float64]) { f(bytesOf(n.key), n.val) })
		return
	}
	type zsetMember struct {
		member []byte
		score  float64
	}
	all := make([]zsetMember, 0, z.small.count)
	z.Walk(z.All(), func(member []byte, score float64) bool { all = append(all, zsetMember{member, score}); return true })
	for range n {
		one := all[rand.IntN(len(all))]
		f(one.member, one.score)
	}
}

func (d *dict[V]) pick(n int, f func(*node[V])) {
	for range n {
		f(d.random())
	}
}
