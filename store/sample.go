package store

import "math/rand/v2"

// sample calls f with count different nodes, or with every node where there are no more, in no particular order. It
// picks random nodes while these rarely come twice, and visits all of them otherwise.
func (d *dict[V]) sample(count int, f func(*node[V])) {
	if count > d.count/3 {
		pick := selection{wanted: count, left: d.count}
		d.each(func(n *node[V]) bool {
			if pick.next() {
				f(n)
			}
			return pick.wanted > 0
		})
		return
	}
	seen := make(map[*node[V]]struct{}, count)
	for len(seen) < count {
		n := d.random()
		if _, again := seen[n]; !again {
			seen[n] = struct{}{}
			f(n)
		}
	}
}

// selection picks wanted of left elements that come one by one, every such choice being equally likely (selection
// sampling).
type selection struct{ wanted, left int }

// next reports whether the next element is chosen. Call it once for each of them.
func (c *selection) next() bool {
	chosen := rand.IntN(c.left) < c.wanted
	c.left--
	if chosen {
		c.wanted--
	}
	return chosen
}
