package store

import (
	"slices"
	"sort"
)

// rankTree is the order of a big sorted set: a B+ tree whose branches know how many elements each child holds, so
// that the rank of an element, and the element of a rank, are found on one way down. Against a skip list with spans,
// as Redis has it, an element costs a third of the memory and a range is read from consecutive slots.
type rankTree struct{ root *rankNode }

// rankNode is a leaf (entries) or a branch (children).
type rankNode struct {
	entries  []rankEntry
	children []rankChild
}

// rankEntry is an element. The score is that of the node, kept here so that most comparisons need not follow the
// pointer.
type rankEntry struct {
	score float64
	n     *node[float64]
}

// rankChild is a child of a branch.
type rankChild struct {
	node  *rankNode
	count int       // elements below
	first rankEntry // the first of them
}

// Slots of a node; one more, for the time until it is split, makes 1 KB. A node with less than a quarter of them in
// use is joined with the one before or after it.
const (
	leafSlots   = 63
	branchSlots = 31
)

// rankedBefore is the order of sorted sets: by score, equal scores by the bytes of the member.
func rankedBefore(score float64, member []byte, score2 float64, member2 []byte) bool {
	return score < score2 || score == score2 && string(member) < string(member2)
}

func (e rankEntry) before(o rankEntry) bool {
	return e.score < o.score || e.score == o.score && e.n.key < o.n.key
}

func (t *rankTree) insert(e rankEntry) {
	if right := t.root.insert(e); right != nil {
		left := t.root
		t.root = &rankNode{children: append(make([]rankChild, 0, branchSlots+1), left.asChild(), right.asChild())}
	}
}

// remove takes out an element, which must be there.
func (t *rankTree) remove(e rankEntry) {
	t.root.remove(e)
	for len(t.root.children) == 1 {
		t.root = t.root.children[0].node
	}
}

// search returns the rank of the first element that satisfies reached, which holds from some rank on.
func (t *rankTree) search(reached func(rankEntry) bool) int {
	rank, n := 0, t.root
	for n.children != nil {
		i := max(0, sort.Search(len(n.children), func(i int) bool { return reached(n.children[i].first) })-1)
		for _, child := range n.children[:i] {
			rank += child.count
		}
		n = n.children[i].node
	}
	return rank + sort.Search(len(n.entries), func(i int) bool { return reached(n.entries[i]) })
}

// asChild describes a node to its parent.
func (n *rankNode) asChild() rankChild {
	if n.children == nil {
		return rankChild{node: n, count: len(n.entries), first: n.entries[0]}
	}
	count := 0
	for _, child := range n.children {
		count += child.count
	}
	return rankChild{node: n, count: count, first: n.children[0].first}
}

// size is the number of slots in use.
func (n *rankNode) size() int { return len(n.entries) + len(n.children) }

// sparse reports whether a node should be joined with another.
func (n *rankNode) sparse() bool { return n.size() < n.slots()/4 }

func (n *rankNode) slots() int {
	if n.children == nil {
		return leafSlots
	}
	return branchSlots
}

// childOf is the index of the child where e is or belongs.
func (n *rankNode) childOf(e rankEntry) int {
	return max(0, sort.Search(len(n.children), func(i int) bool { return e.before(n.children[i].first) })-1)
}

// insert adds e below n. If n overflows, it gives up some of its slots to the new node that is returned.
func (n *rankNode) insert(e rankEntry) (right *rankNode) {
	if n.children == nil {
		at := sort.Search(len(n.entries), func(i int) bool { return e.before(n.entries[i]) })
		n.entries = slices.Insert(n.entries, at, e)
		return n.split(at)
	}
	at := n.childOf(e)
	child := &n.children[at]
	split := child.node.insert(e)
	if split == nil {
		child.count++
		if e.before(child.first) {
			child.first = e
		}
		return nil
	}
	*child = child.node.asChild()
	n.children = slices.Insert(n.children, at+1, split.asChild())
	return n.split(at + 1)
}

// split moves the upper half of a node that is overfull into a new one. After an insert at the very end it moves only
// that slot: elements that come in order leave full nodes behind.
func (n *rankNode) split(inserted int) (right *rankNode) {
	if n.size() <= n.slots() {
		return nil
	}
	at := n.size() / 2
	if inserted == n.size()-1 {
		at = inserted
	}
	right = new(rankNode)
	if n.children == nil {
		right.entries = append(make([]rankEntry, 0, leafSlots+1), n.entries[at:]...)
		clear(n.entries[at:])
		n.entries = n.entries[:at]
		return right
	}
	right.children = append(make([]rankChild, 0, branchSlots+1), n.children[at:]...)
	clear(n.children[at:])
	n.children = n.children[:at]
	return right
}

// remove takes e out of the elements below n.
func (n *rankNode) remove(e rankEntry) {
	if n.children == nil {
		at := sort.Search(len(n.entries), func(i int) bool { return !n.entries[i].before(e) })
		n.entries = slices.Delete(n.entries, at, at+1)
		return
	}
	at := n.childOf(e)
	child := n.children[at].node
	child.remove(e)
	if child.size() == 0 {
		n.children = slices.Delete(n.children, at, at+1)
		return
	}
	n.children[at] = child.asChild()
	if child.sparse() && len(n.children) > 1 {
		n.join(max(0, at-1))
	}
}

// join moves what child at+1 holds into child at, if there is room.
func (n *rankNode) join(at int) {
	left, right := n.children[at].node, n.children[at+1].node
	if left.size()+right.size() > left.slots()*3/4 {
		return
	}
	left.entries = append(left.entries, right.entries...)
	if right.children != nil {
		left.children = append(left.children, right.children...)
	}
	n.children[at] = left.asChild()
	n.children = slices.Delete(n.children, at+1, at+2)
}

// walk calls f for the elements of ranks start to stop-1 below n until it returns false. It reports whether f never
// did.
func (n *rankNode) walk(start, stop int, f func(rankEntry) bool) bool {
	for i := start; n.children == nil && i < stop; i++ {
		if !f(n.entries[i]) {
			return false
		}
	}
	for _, child := range n.children {
		if start < child.count && stop > 0 && !child.node.walk(max(0, start), min(stop, child.count), f) {
			return false
		}
		start, stop = start-child.count, stop-child.count
	}
	return true
}

// walkBack is walk from rank stop-1 down to start.
func (n *rankNode) walkBack(start, stop int, f func(rankEntry) bool) bool {
	for i := stop - 1; n.children == nil && i >= start; i-- {
		if !f(n.entries[i]) {
			return false
		}
	}
	below := 0 // elements in the children before the i-th
	for _, child := range n.children {
		below += child.count
	}
	for i := len(n.children) - 1; i >= 0; i-- {
		child := n.children[i]
		below -= child.count
		if start < below+child.count && stop > below &&
			!child.node.walkBack(max(0, start-below), min(stop-below, child.count), f) {
			return false
		}
	}
	return true
}
