package store

import "slices"

// ordered is a map whose keys are in order: a B+ tree. Looking up, adding and removing take O(log n), walking in
// order reads consecutive slots. The zero value is not ready; see newOrdered.
type ordered[K, V any] struct {
	compare func(a, b K) int
	root    *orderedNode[K, V] // nil if empty
	count   int
}

// orderedNode is a leaf (vals) or a branch (kids), all leaves being equally deep.
type orderedNode[K, V any] struct {
	keys []K // of a branch: for each child a key that is not behind any below it
	vals []V
	kids []*orderedNode[K, V] // nil in a leaf
}

// orderedSlots is how many keys a node takes. One with less than a quarter of them is joined with its neighbour if
// both fit into one.
const orderedSlots = 32

func newOrdered[K, V any](compare func(a, b K) int) ordered[K, V] {
	return ordered[K, V]{compare: compare}
}

func (o *ordered[K, V]) len() int { return o.count }

// kidOf is the index of the child of n where key is or belongs.
func (o *ordered[K, V]) kidOf(n *orderedNode[K, V], key K) int {
	at, found := slices.BinarySearchFunc(n.keys, key, o.compare)
	if found {
		return at
	}
	return max(0, at-1)
}

// get returns the value of a key; ok is false if there is none.
func (o *ordered[K, V]) get(key K) (v V, ok bool) {
	n := o.root
	if n == nil {
		return v, false
	}
	for n.kids != nil {
		n = n.kids[o.kidOf(n, key)]
	}
	at, found := slices.BinarySearchFunc(n.keys, key, o.compare)
	if !found {
		return v, false
	}
	return n.vals[at], true
}

// put sets the value of a key.
func (o *ordered[K, V]) put(key K, v V) {
	if o.root == nil {
		o.root = new(orderedNode[K, V])
	}
	left := o.root
	if right := o.insert(left, key, v); right != nil {
		o.root = &orderedNode[K, V]{keys: []K{left.keys[0], right.keys[0]}, kids: []*orderedNode[K, V]{left, right}}
	}
}

// insert puts a key below n. If n overflows, a new node on its right is returned: it has half of the slots, or only
// the key if that comes behind all others. Keys that come in order leave full nodes behind.
func (o *ordered[K, V]) insert(n *orderedNode[K, V], key K, v V) (right *orderedNode[K, V]) {
	if n.kids == nil {
		return o.insertLeaf(n, key, v)
	}
	at := o.kidOf(n, key)
	split := o.insert(n.kids[at], key, v)
	n.keys[at] = n.kids[at].keys[0]
	if split == nil {
		return nil
	}
	if at+1 == orderedSlots {
		return &orderedNode[K, V]{keys: []K{split.keys[0]}, kids: []*orderedNode[K, V]{split}}
	}
	n.keys = slices.Insert(n.keys, at+1, split.keys[0])
	n.kids = slices.Insert(n.kids, at+1, split)
	return n.split()
}

func (o *ordered[K, V]) insertLeaf(n *orderedNode[K, V], key K, v V) (right *orderedNode[K, V]) {
	at, found := slices.BinarySearchFunc(n.keys, key, o.compare)
	if found {
		n.vals[at] = v
		return nil
	}
	o.count++
	if at == orderedSlots {
		return &orderedNode[K, V]{keys: []K{key}, vals: []V{v}}
	}
	n.keys = slices.Insert(n.keys, at, key)
	n.vals = slices.Insert(n.vals, at, v)
	return n.split()
}

// split moves the upper half of a node that is overfull into a new one.
func (n *orderedNode[K, V]) split() (right *orderedNode[K, V]) {
	if len(n.keys) <= orderedSlots {
		return nil
	}
	right = new(orderedNode[K, V])
	n.keys, right.keys = halves(n.keys)
	n.vals, right.vals = halves(n.vals)
	n.kids, right.kids = halves(n.kids)
	return right
}

// halves returns the two halves of s; s is not needed any more.
func halves[T any](s []T) (lower, upper []T) {
	at := len(s) / 2
	return slices.Clone(s[:at]), slices.Clone(s[at:])
}

// remove takes a key out and returns its value; ok is false if it was not there.
func (o *ordered[K, V]) remove(key K) (v V, ok bool) {
	if o.root == nil {
		return v, false
	}
	if v, ok = o.removeBelow(o.root, key); !ok {
		return v, false
	}
	o.count--
	for len(o.root.kids) == 1 {
		o.root = o.root.kids[0]
	}
	if o.count == 0 {
		o.root = nil
	}
	return v, true
}

func (o *ordered[K, V]) removeBelow(n *orderedNode[K, V], key K) (v V, ok bool) {
	if n.kids != nil {
		at := o.kidOf(n, key)
		if v, ok = o.removeBelow(n.kids[at], key); ok {
			n.rebalance(at)
		}
		return v, ok
	}
	at, found := slices.BinarySearchFunc(n.keys, key, o.compare)
	if !found {
		return v, false
	}
	v = n.vals[at]
	n.keys, n.vals = slices.Delete(n.keys, at, at+1), slices.Delete(n.vals, at, at+1)
	return v, true
}

// rebalance joins a child that has become sparse with a neighbour, and drops one that is empty.
func (n *orderedNode[K, V]) rebalance(at int) {
	switch size := len(n.kids[at].keys); {
	case size == 0:
		n.drop(at)
	case size < orderedSlots/4 && !n.join(at-1):
		n.join(at)
	}
}

func (n *orderedNode[K, V]) drop(at int) {
	n.keys, n.kids = slices.Delete(n.keys, at, at+1), slices.Delete(n.kids, at, at+1)
}

// join moves all of a child's right neighbour into it, if there are both and it fits.
func (n *orderedNode[K, V]) join(at int) bool {
	if at < 0 || at+1 >= len(n.kids) {
		return false
	}
	left, right := n.kids[at], n.kids[at+1]
	if len(left.keys)+len(right.keys) > orderedSlots {
		return false
	}
	left.keys = append(left.keys, right.keys...)
	left.vals = append(left.vals, right.vals...)
	left.kids = append(left.kids, right.kids...)
	n.drop(at + 1)
	return true
}

// from calls f for the keys that are not before key, in their order, until it returns false. f must not change the map.
func (o *ordered[K, V]) from(key K, f func(K, V) bool) {
	if o.root != nil {
		o.visit(o.root, &key, f)
	}
}

// each is from for all keys.
func (o *ordered[K, V]) each(f func(K, V) bool) {
	if o.root != nil {
		o.visit(o.root, nil, f)
	}
}

// visit calls f for the keys below n, those before first left out, unless that is nil.
func (o *ordered[K, V]) visit(n *orderedNode[K, V], first *K, f func(K, V) bool) (more bool) {
	at := 0
	if n.kids == nil {
		if first != nil {
			at, _ = slices.BinarySearchFunc(n.keys, *first, o.compare)
		}
		for ; at < len(n.keys); at++ {
			if !f(n.keys[at], n.vals[at]) {
				return false
			}
		}
		return true
	}
	if first != nil {
		at = o.kidOf(n, *first)
	}
	for i := at; i < len(n.kids); i++ {
		if !o.visit(n.kids[i], first, f) {
			return false
		}
		first = nil
	}
	return true
}

// ceil returns the first key that is not before the given one, with its value; ok is false if there is none.
func (o *ordered[K, V]) ceil(key K) (at K, v V, ok bool) {
	o.from(key, func(k K, val V) bool {
		at, v, ok = k, val, true
		return false
	})
	return at, v, ok
}

// last returns the greatest key with its value; ok is false if there is none.
func (o *ordered[K, V]) last() (key K, v V, ok bool) {
	n := o.root
	if n == nil {
		return key, v, false
	}
	for n.kids != nil {
		n = n.kids[len(n.kids)-1]
	}
	at := len(n.keys) - 1
	return n.keys[at], n.vals[at], true
}
