package store

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
)

// dict is a hash table with chaining whose buckets are ordered by the leading bits of the hash. A place in that order
// stays meaningful when the table grows or shrinks, so a scan needs no state in the server: see scan.
type dict[V any] struct {
	buckets []*node[V] // length is zero or a power of two
	count   int
}

// node is one element. Its address is stable for as long as it is in the dict.
type node[V any] struct {
	next *node[V]
	key  string
	val  V
}

const dictMinBuckets = 4

// hashSeed only has to differ between processes; it holds no state.
var hashSeed = maphash.MakeSeed()

func hashBytes(b []byte) uint64  { return maphash.Bytes(hashSeed, b) }
func hashString(s string) uint64 { return maphash.String(hashSeed, s) }

func (d *dict[V]) len() int { return d.count }

// bits is how many leading bits of a hash are the index of its bucket.
func (d *dict[V]) bits() uint { return uint(bits.TrailingZeros(uint(len(d.buckets)))) }

// bucket is the index of hash h: its leading bits.
func (d *dict[V]) bucket(h uint64) int { return int(h >> (64 - d.bits())) }

func (d *dict[V]) get(key []byte) *node[V] {
	if d.count == 0 {
		return nil
	}
	return d.getHashed(hashBytes(key), key)
}

// getHashed is get for a key whose hash is known.
func (d *dict[V]) getHashed(hash uint64, key []byte) *node[V] {
	if d.count == 0 {
		return nil
	}
	n := d.buckets[d.bucket(hash)]
	for n != nil && n.key != string(key) {
		n = n.next
	}
	return n
}

// add inserts a key that is not there yet.
func (d *dict[V]) add(key string, val V) *node[V] {
	n := &node[V]{key: key, val: val}
	d.insert(hashString(key), n)
	return n
}

// insert links a node whose key is not there yet.
func (d *dict[V]) insert(hash uint64, n *node[V]) {
	if d.count >= len(d.buckets) {
		d.resize(max(dictMinBuckets, 2*len(d.buckets)))
	}
	b := d.bucket(hash)
	n.next = d.buckets[b]
	d.buckets[b] = n
	d.count++
}

// remove unlinks key and returns its node, or nil.
func (d *dict[V]) remove(key []byte) *node[V] {
	if d.count == 0 {
		return nil
	}
	return d.removeHashed(hashBytes(key), key)
}

// removeHashed is remove for a key whose hash is known.
func (d *dict[V]) removeHashed(hash uint64, key []byte) *node[V] {
	if d.count == 0 {
		return nil
	}
	link := &d.buckets[d.bucket(hash)]
	for *link != nil && (*link).key != string(key) {
		link = &(*link).next
	}
	n := *link
	if n == nil {
		return nil
	}
	*link = n.next
	n.next = nil
	d.count--
	if len(d.buckets) > dictMinBuckets && d.count < len(d.buckets)/8 {
		d.resize(len(d.buckets) / 4)
	}
	return n
}

func (d *dict[V]) resize(size int) {
	size = max(size, dictMinBuckets)
	old := d.buckets
	d.buckets = make([]*node[V], size)
	for _, n := range old {
		for n != nil {
			next := n.next
			b := d.bucket(hashString(n.key))
			n.next = d.buckets[b]
			d.buckets[b] = n
			n = next
		}
	}
}

// each calls f for every node until it returns false. f must not add to the dict or remove from it.
func (d *dict[V]) each(f func(*node[V]) bool) {
	for _, n := range d.buckets {
		for ; n != nil; n = n.next {
			if !f(n) {
				return
			}
		}
	}
}

// random returns a node, each as likely as any other: it picks a bucket and a place in its chain until there is a node.
func (d *dict[V]) random() *node[V] {
	if d.count == 0 {
		return nil
	}
	for {
		n := d.buckets[rand.IntN(len(d.buckets))]
		for place := rand.IntN(chainBound); n != nil && place > 0; place-- {
			n = n.next
		}
		if n != nil {
			return n
		}
	}
}

// chainBound is a length that no chain reaches: there are at least as many buckets as nodes.
const chainBound = 16
