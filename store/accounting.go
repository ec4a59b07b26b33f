package store

import "unsafe"

// The memory of keys is computed: the sum of the weights of keys and values. It is thus the same in every run, whatever
// else the process holds and whenever garbage is collected. A keyspace keeps the sum of its keys; a transaction calls
// Weight of a value when it opens it for a change and again at its end, and adds the difference. Weight takes constant
// time, so this costs a write two calls; in return values need not report each of their changes.
//
// Invariant: outside transactions no key is open, and keyspace.bytes is the sum of weightOf over its keys. Within
// one, that holds if an open key counts with the weight of its openKey.

// accounting is by how much a transaction has changed the memory of keys.
type accounting struct {
	keys  []openKey // open
	delta int64     // bytes, of all keyspaces together, not yet added to Store.used
}

// openKey is a key whose value may be changing.
type openKey struct {
	space  *keyspace
	node   *node[item]
	weight int // what of it is in space.bytes
}

// openMax is how many entries the list of open keys keeps room for.
const openMax = 256

// KeyOverhead is what a key takes in addition to its name and its value, in bytes: a node, and its share of the table.
const KeyOverhead = int64(unsafe.Sizeof(node[item]{})) + 16

// BaseMemory is what an empty store takes, in bytes.
const BaseMemory = int64(unsafe.Sizeof(Store{}))

// weightOf is what a key and its value take, in bytes.
func weightOf(n *node[item]) int { return int(KeyOverhead) + len(n.key) + n.val.value().Weight() }

// Weight is what the key and its value take, in bytes.
func (e Entry) Weight() int { return weightOf(e.n) }

// open has the memory of a key counted again when the transaction ends.
func (a *accounting) open(ks *keyspace, n *node[item]) {
	if !n.val.opened() {
		n.val.setOpened(true)
		a.keys = append(a.keys, openKey{ks, n, weightOf(n)})
	}
}

// add counts a key that has just been stored.
func (a *accounting) add(ks *keyspace, n *node[item]) {
	n.val.setOpened(true)
	a.keys = append(a.keys, openKey{ks, n, 0})
}

// remove subtracts a key that has just been removed.
func (a *accounting) remove(ks *keyspace, n *node[item]) {
	if !n.val.opened() {
		a.grow(ks, -int64(weightOf(n)))
		return
	}
	last := len(a.keys) - 1
	for i := last; i >= 0; i-- { // mostly it was opened last
		if a.keys[i].node == n {
			a.grow(ks, -int64(a.keys[i].weight))
			a.keys[i] = a.keys[last]
			a.keys[last] = openKey{}
			a.keys = a.keys[:last]
			return
		}
	}
}

// grow adds bytes to a keyspace.
func (a *accounting) grow(ks *keyspace, bytes int64) {
	ks.bytes += bytes
	a.delta += bytes
}

// close counts the memory of the open keys again, closes them, and adds the changes of all keys to the memory of a
// store that has a limit.
func (a *accounting) close(st *Store, limits *Limits) {
	for i := range a.keys {
		o := &a.keys[i]
		o.node.val.setOpened(false)
		a.grow(o.space, int64(weightOf(o.node)-o.weight))
		*o = openKey{}
	}
	a.keys = a.keys[:0]
	if cap(a.keys) > openMax {
		a.keys = nil
	}
	if a.delta != 0 && limits.Memory != 0 {
		st.used.Add(a.delta)
	}
	a.delta = 0
}

// Memory is what all keys take, and the store itself, in bytes. The transaction must hold All.
func (tx *Tx) Memory() int64 {
	tx.memory.close(tx.store, tx.limits)
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
