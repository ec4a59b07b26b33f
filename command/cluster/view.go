package cluster

import (
	"maps"
	"slices"

	"github.com/minilockd/minilockd/internal/hashtag"
)

// table has the number of the node that owns each slot, 0 for none.
type table [hashtag.Slots]uint16

// member is what a node knows of a node, itself included. It is immutable.
type member struct {
	*Node
	id     string
	number uint16 // in tables
	master string // the ID of the node that it replicates; "" for a master
	epoch  int64  // of its slots: where two nodes claim a slot, the higher one wins
	failed bool
}

// move says that a slot is on its way to another node, or from another one.
type move struct{ to, from string }

// view is what a node knows of the cluster. It is immutable once it is stored: a change makes a new one. Views that
// agree about the slots share one table.
type view struct {
	epoch     int64
	members   []*member // the node itself comes first
	owners    *table
	moving    map[int]move
	forgotten map[string]int64 // until when nobody makes the node known again, in ms since the epoch
	assigned  int              // slots that have an owner
	failed    int              // slots whose owner has failed

	ownTable bool // owners is not shared yet, while the view is made
}

// self returns what the node knows of itself.
func (v *view) self() *member { return v.members[0] }

// byID returns a node by its ID, nil if it is unknown.
func (v *view) byID(id string) *member {
	for _, m := range v.members {
		if m.id == id {
			return m
		}
	}
	return nil
}

// owner returns the node that owns a slot, nil if none does.
func (v *view) owner(slot int) *member {
	number := v.owners[slot]
	if number == 0 {
		return nil
	}
	for _, m := range v.members {
		if m.number == number {
			return m
		}
	}
	return nil
}

// masterOf returns the master of a node, nil if it is one itself.
func (v *view) masterOf(m *member) *member {
	if m.master == "" {
		return nil
	}
	return v.byID(m.master)
}

// replicasOf returns the replicas of a node.
func (v *view) replicasOf(m *member) (replicas []*member) {
	for _, r := range v.members {
		if r.master == m.id {
			replicas = append(replicas, r)
		}
	}
	return replicas
}

// clone returns a view that can be changed.
func (v *view) clone() *view {
	w := *v
	w.members = slices.Clone(v.members)
	w.moving = maps.Clone(v.moving)
	w.forgotten = maps.Clone(v.forgotten)
	w.ownTable = false
	return &w
}

// assign gives a slot to a node, or takes it away if that is nil.
func (v *view) assign(slot int, m *member) {
	var number uint16
	if m != nil {
		number = m.number
	}
	if v.owners[slot] == number {
		return
	}
	if !v.ownTable {
		owners := *v.owners
		v.owners, v.ownTable = &owners, true
	}
	v.owners[slot] = number
}

// update replaces what is known of a node by what f makes of it.
func (v *view) update(m *member, f func(m *member)) {
	changed := *m
	f(&changed)
	for i := range v.members {
		if v.members[i].id == m.id {
			v.members[i] = &changed
		}
	}
}

// remove forgets a node. Its slots have no owner then.
func (v *view) remove(m *member) {
	for slot, number := range v.owners {
		if number == m.number {
			v.assign(slot, nil)
		}
	}
	v.members = slices.DeleteFunc(v.members, func(other *member) bool { return other.id == m.id })
}

// setMove notes that a slot moves, or with a zero move that it does not.
func (v *view) setMove(slot int, m move) {
	if m == (move{}) {
		delete(v.moving, slot)
		return
	}
	if v.moving == nil {
		v.moving = make(map[int]move)
	}
	v.moving[slot] = m
}

// size returns how many slots a node owns.
func (v *view) size(m *member) (n int) {
	for _, number := range v.owners {
		if number == m.number {
			n++
		}
	}
	return n
}

// masters returns how many masters have slots.
func (v *view) masters() (n int) {
	for _, m := range v.members {
		if m.master == "" && v.size(m) > 0 {
			n++
		}
	}
	return n
}

// count counts the slots by the state of their owners.
func (v *view) count() {
	failed := make(map[uint16]bool)
	for _, m := range v.members {
		failed[m.number] = m.failed
	}
	v.assigned, v.failed = 0, 0
	last, lastFailed := uint16(0), false
	for _, number := range v.owners {
		if number == 0 {
			continue
		}
		v.assigned++
		if number != last {
			last, lastFailed = number, failed[number]
		}
		if lastFailed {
			v.failed++
		}
	}
}

// slotRange is a range of slots, both ends included.
type slotRange struct{ first, last int }

// ranges returns the slots of a node as ranges, in order.
func (v *view) ranges(m *member) (all []slotRange) {
	for slot, number := range v.owners {
		if number != m.number {
			continue
		}
		if n := len(all); n > 0 && all[n-1].last == slot-1 {
			all[n-1].last = slot
			continue
		}
		all = append(all, slotRange{slot, slot})
	}
	return all
}

// maxEpoch is the highest epoch that the node knows of.
func (v *view) maxEpoch() int64 {
	highest := v.epoch
	for _, m := range v.members {
		highest = max(highest, m.epoch)
	}
	return highest
}

// sameAs reports whether two views are alike in what other nodes are told.
func (v *view) sameAs(w *view) bool {
	return v.epoch == w.epoch && v.owners == w.owners && slices.Equal(v.members, w.members)
}
