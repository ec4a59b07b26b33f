package store

import (
	"slices"
	"sort"
)

// rankTree is the order of a big sorted set: a B+ tree whose branches know how many elements each child holds, so
// that the rank of an element, and the element of a rank, are found on one way down. Against a skip list with spans,
// as Redis has it, an element costs a third of the memory and a range is read from consecutive slots.
type rankTree struct{ root *rankNode }

// rankNode is a leaf (entries) or a branch (kids).
type rankNode struct {
	entries []rankEntry
	kids    []rankKid
}

// rankEntry is an element. The score is that of the node, kept here so that most comparisons need not follow the
// pointer.
type rankEntry struct {
	score float64
	n     *node[float64]
}

// rankKid is a child of a branch.
type rankKid struct {
	node  *rankNode
	count int       // elements below
	first rankEntry // the least of them
}

// Slots of a node; one more, for the time until it is split, makes 1 KB. A node with less than a quarter of them in
// use is joined with its neighbour.
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
		t.root = &rankNode{kids: append(make([]rankKid, 0, branchSlots+1), left.asKid(), right.asKid())}
	}
}

// remove takes out an element, which must be there.
func (t *rankTree) remove(e rankEntry) {
	t.root.remove(e)
	for len(t.root.kids) == 1 {
		t.root = t.root.kids[0].node
	}
}

// search returns the rank of the first element that satisfies reached, which holds from some rank on.
func (t *rankTree) search(reached func(rankEntry) bool) int {
	rank, n := 0, t.root
	for n.kids != nil {
		i := max(0, sort.Search(len(n.kids), func(i int) bool { return reached(n.kids[i].first) })-1)
		for _, kid := range n.kids[:i] {
			rank += kid.count
		}
		n = n.kids[i].node
	}
	return rank + sort.Search(len(n.entries), func(i int) bool { return reached(n.entries[i]) })
}

// asKid describes a node to its parent.
func (n *rankNode) asKid() rankKid {
	if n.kids == nil {
		return rankKid{node: n, count: len(n.entries), first: n.entries[0]}
	}
	count := 0
	for _, kid := range n.kids {
		count += kid.count
	}
	return rankKid{node: n, count: count, first: n.kids[0].first}
}

// size is the number of slots in use.
func (n *rankNode) size() int { return len(n.entries) + len(n.kids) }

// sparse reports whether a node should be joined with its neighbour.
func (n *rankNode) sparse() bool { return n.size() < n.slots()/4 }

func (n *rankNode) slots() int {
	if n.kids == nil {
		return leafSlots
	}
	return branchSlots
}

// kidOf is the index of the child where e is or belongs.
func (n *rankNode) kidOf(e rankEntry) int {
	return max(0, sort.Search(len(n.kids), func(i int) bool { return e.before(n.kids[i].first) })-1)
}

// insert adds e below n. If n overflows, it gives up some of its slots to the new node that is returned.
func (n *rankNode) insert(e rankEntry) (right *rankNode) {
	if n.kids == nil {
		at := sort.Search(len(n.entries), func(i int) bool { return e.before(n.entries[i]) })
		n.entries = slices.Insert(n.entries, at, e)
		return n.split(at)
	}
	at := n.kidOf(e)
	kid := &n.kids[at]
	split := kid.node.insert(e)
	if split == nil {
		kid.count++
		if e.before(kid.first) {
			kid.first = e
		}
		return nil
	}
	*kid = kid.node.asKid()
	n.kids = slices.Insert(n.kids, at+1, split.asKid())
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
	if n.kids == nil {
		right.entries = append(make([]rankEntry, 0, leafSlots+1), n.entries[at:]...)
		clear(n.entries[at:])
		n.entries = n.entries[:at]
		return right
	}
	right.kids = append(make([]rankKid, 0, branchSlots+1), n.kids[at:]...)
	clear(n.kids[at:])
	n.kids = n.kids[:at]
	return right
}

// remove takes e out of the elements below n.
func (n *rankNode) remove(e rankEntry) {
	if n.kids == nil {
		at := sort.Search(len(n.entries), func(i int) bool { return !n.entries[i].before(e) })
		n.entries = slices.Delete(n.entries, at, at+1)
		return
	}
	at := n.kidOf(e)
	kid := n.kids[at].node
	kid.remove(e)
	if kid.size() == 0 {
		n.kids = slices.Delete(n.kids, at, at+1)
		return
	}
	n.kids[at] = kid.asKid()
	if kid.sparse() && len(n.kids) > 1 {
		n.join(max(0, at-1))
	}
}

// join moves what child at+1 holds into child at, if there is room.
func (n *rankNode) join(at int) {
	left, right := n.kids[at].node, n.kids[at+1].node
	if left.size()+right.size() > left.slots()*3/4 {
		return
	}
	left.entries = append(left.entries, right.entries...)
	if right.kids != nil {
		left.kids = append(left.kids, right.kids...)
	}
	n.kids[at] = left.asKid()
	n.kids = slices.Delete(n.kids, at+1, at+2)
}

// walk calls f for the elements of ranks start to stop-1 below n until it returns false. It reports whether f never
// did.
func (n *rankNode) walk(start, stop int, f func(rankEntry) bool) bool {
	for i := start; n.kids == nil && i < stop; i++ {
		if !f(n.entries[i]) {
			return false
		}
	}
	for _, kid := range n.kids {
		if start < kid.count && stop > 0 && !kid.node.walk(max(0, start), min(stop, kid.count), f) {
			return false
		}
		start, stop = start-kid.count, stop-kid.count
	}
	return true
}

// walkBack is walk from rank stop-1 down to start.
func (n *rankNode) walkBack(start, stop int, f func(rankEntry) bool) bool {
	for i := stop - 1; n.kids == nil && i >= start; i-- {
		if !f(n.entries[i]) {
			return false
		}
	}
	below := 0 // elements in the children before the i-th
	for _, kid := range n.kids {
		below += kid.count
	}
	for i := len(n.kids) - 1; i >= 0; i-- {
		kid := n.kids[i]
		below -= kid.count
		if start < below+kid.count && stop > below &&
			!kid.node.walkBack(max(0, start-below), min(stop-below, kid.count), f) {
			return false
		}
	}
	return true
}
