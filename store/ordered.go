package store

import "slices"

// ordered is a map whose keys are in order: a B+ tree. Looking up, adding and removing take O(log n), walking in
// order reads consecutive slots. The zero value is not ready; see newOrdered.
type ordered[K, V any] struct {
	compare func(a, b K) int
	root    *orderedNode[K, V] // nil if empty
	count   int
}

// orderedNode is a leaf (vals) or a branch (children), all leaves being equally deep.
type orderedNode[K, V any] struct {
	keys     []K // of a branch: for each child a key that is not behind any below it
	vals     []V
	children []*orderedNode[K, V] // nil in a leaf
}

// orderedSlots is how many keys a node takes. One with less than a quarter of them is joined with the next one if
// both fit into one.
const orderedSlots = 32

func newOrdered[K, V any](compare func(a, b K) int) ordered[K, V] {
	return ordered[K, V]{compare: compare}
}

func (o *ordered[K, V]) len() int { return o.count }

// childOf is the index of the child of n where key is or belongs.
func (o *ordered[K, V]) childOf(n *orderedNode[K, V], key K) int {
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
	for n.children != nil {
		n = n.children[o.childOf(n, key)]
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
		o.root = &orderedNode[K, V]{keys: []K{left.keys[0], right.keys[0]}, children: []*orderedNode[K, V]{left, right}}
	}
}

// insert puts a key below n. If n overflows, a new node on its right is returned: it has half of the slots, or only
// the key if that comes behind all others. Keys that come in order leave full nodes behind.
func (o *ordered[K, V]) insert(n *orderedNode[K, V], key K, v V) (right *orderedNode[K, V]) {
	if n.children == nil {
		return o.insertLeaf(n, key, v)
	}
	at := o.childOf(n, key)
	split := o.insert(n.children[at], key, v)
	n.keys[at] = n.children[at].keys[0]
	if split == nil {
		return nil
	}
	if at+1 == orderedSlots {
		return &orderedNode[K, V]{keys: []K{split.keys[0]}, children: []*orderedNode[K, V]{split}}
	}
	n.keys = slices.Insert(n.keys, at+1, split.keys[0])
	n.children = slices.Insert(n.children, at+1, split)
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
	n.children, right.children = halves(n.children)
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
	for len(o.root.children) == 1 {
		o.root = o.root.children[0]
	}
	if o.count == 0 {
		o.root = nil
	}
	return v, true
}

func (o *ordered[K, V]) removeBelow(n *orderedNode[K, V], key K) (v V, ok bool) {
	if n.children != nil {
		at := o.childOf(n, key)
		if v, ok = o.removeBelow(n.children[at], key); ok {
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

// rebalance joins a child that has become sparse with the one before or after it, and drops one that is empty.
func (n *orderedNode[K, V]) rebalance(at int) {
	switch size := len(n.children[at].keys); {
	case size == 0:
		n.drop(at)
	case size < orderedSlots/4 && !n.join(at-1):
		n.join(at)
	}
}

func (n *orderedNode[K, V]) drop(at int) {
	n.keys, n.children = slices.Delete(n.keys, at, at+1), slices.Delete(n.children, at, at+1)
}

// join moves everything of child at+1 into child at, if there are both and it fits.
func (n *orderedNode[K, V]) join(at int) bool {
	if at < 0 || at+1 >= len(n.children) {
		return false
	}
	left, right := n.children[at], n.children[at+1]
	if len(left.keys)+len(right.keys) > orderedSlots {
		return false
	}
	left.keys = append(left.keys, right.keys...)
	left.vals = append(left.vals, right.vals...)
	left.children = append(left.children, right.children...)
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
	if n.children == nil {
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
		at = o.childOf(n, *first)
	}
	for i := at; i < len(n.children); i++ {
		if !o.visit(n.children[i], first, f) {
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

// last returns the highest key with its value; ok is false if there is none.
func (o *ordered[K, V]) last() (key K, v V, ok bool) {
	n := o.root
	if n == nil {
		return key, v, false
	}
	for n.children != nil {
		n = n.children[len(n.children)-1]
	}
	at := len(n.keys) - 1
	return n.keys[at], n.vals[at], true
}
