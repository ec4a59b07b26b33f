package store

import "math/bits"

// scan visits the bucket that cursor names (0 to begin with) and returns the cursor to go on from, 0 at the end.
//
// A scan goes through the buckets in the order of the hashes. Its cursor is the index of the next bucket with its bits
// reversed: the leading bit of the hashes comes last, so the cursor is less than the number of buckets, and a table of
// another size finds where those hashes begin in it. An element that is there during the whole scan is therefore
// visited at least once however the table is resized in between. Bits beyond the size of the table, which only a cursor
// from elsewhere or from a larger table has, make no difference.
func (d *dict[V]) scan(cursor uint64, f func(*node[V])) uint64 {
	if d.count == 0 {
		return 0
	}
	b := d.bucket(bits.Reverse64(cursor))
	for n := d.buckets[b]; n != nil; n = n.next {
		f(n)
	}
	if b+1 == len(d.buckets) {
		return 0
	}
	return bits.Reverse64(uint64(b+1)) >> (64 - d.bits())
}

// scanSome repeats scan until count nodes were visited, and returns the cursor to go on from, 0 at the end.
func (d *dict[V]) scanSome(cursor uint64, count int, f func(*node[V])) uint64 {
	for seen := 0; ; {
		cursor = d.scan(cursor, func(n *node[V]) { f(n); seen++ })
		if cursor == 0 || seen >= count {
			return cursor
		}
	}
}
