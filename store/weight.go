package store

import "unsafe"

// Memory is counted, not measured: the sum of what keys and values weigh. It is thus the same in every run, whatever else
// the process holds and whenever garbage is collected. Each keyspace keeps its sum; a transaction weighs a value when it
// opens it for change and again at its end, and adds the difference.

// opened is a key whose value may be changing. It weighed so much when that was last added to its keyspace's bytes.
type opened struct {
	space  *keyspace
	node   *node[item]
	weight int
}

// KeyOverhead is what a key takes besides its name and its value, in bytes: a node, and its share of the table.
const KeyOverhead = int64(unsafe.Sizeof(node[item]{})) + 16

// BaseMemory is what an empty store takes, in bytes.
const BaseMemory = int64(unsafe.Sizeof(Store{}))

// weightOf is what a key and its value take, in bytes.
func weightOf(n *node[item]) int { return int(KeyOverhead) + len(n.key) + n.val.value().Weight() }

// Weight is what the key and its value take, in bytes.
func (e Entry) Weight() int { return weightOf(e.n) }

// open has a key weighed again when the transaction ends.
func (tx *Tx) open(ks *keyspace, n *node[item]) {
	if !n.val.opened() {
		n.val.setOpened(true)
		tx.opened = append(tx.opened, opened{ks, n, weightOf(n)})
	}
}

// weighNew counts a key that has just been stored.
func (tx *Tx) weighNew(ks *keyspace, n *node[item]) {
	n.val.setOpened(true)
	tx.opened = append(tx.opened, opened{ks, n, 0})
}

// weighGone takes a key that has just been removed out of the count.
func (tx *Tx) weighGone(ks *keyspace, n *node[item]) {
	if !n.val.opened() {
		tx.grow(ks, -int64(weightOf(n)))
		return
	}
	last := len(tx.opened) - 1
	for i := last; i >= 0; i-- { // mostly it was opened last
		if tx.opened[i].node == n {
			tx.grow(ks, -int64(tx.opened[i].weight))
			tx.opened[i] = tx.opened[last]
			tx.opened[last] = opened{}
			tx.opened = tx.opened[:last]
			return
		}
	}
}

func (tx *Tx) grow(ks *keyspace, bytes int64) {
	ks.bytes += bytes
	tx.grown += bytes
}

// openedMax is how many entries the list of opened keys keeps room for.
const openedMax = 256

// account weighs what was opened, and closes it.
func (tx *Tx) account() {
	for i := range tx.opened {
		o := &tx.opened[i]
		o.node.val.setOpened(false)
		tx.grow(o.space, int64(weightOf(o.node)-o.weight))
		*o = opened{}
	}
	tx.opened = tx.opened[:0]
	if cap(tx.opened) > openedMax {
		tx.opened = nil
	}
	if tx.grown != 0 && tx.limits.Memory != 0 {
		tx.store.used.Add(tx.grown)
	}
	tx.grown = 0
}

// Memory is what all keys take, and the store itself, in bytes. The transaction must hold All.
func (tx *Tx) Memory() int64 {
	tx.account()
	sum := BaseMemory
	for i := range tx.store.shards {
		for _, ks := range tx.store.shards[i].spaces {
			if ks != nil {
				sum += ks.bytes
			}
		}
	}
	return sum
}
