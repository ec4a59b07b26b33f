package store

import (
	"container/heap"

	"github.com/minilockd/minilockd/expiry"
)

// fieldDeadlines is when fields of a hash expire: a heap of deadlines, a table of where in the heap a field is, and
// one timer for the earliest. A hash has it only while some field has a deadline. The methods of a nil
// *fieldDeadlines see no deadline.
//
// Invariant: while a keyspace holds the hash, the timer is set in wheel, for the earliest deadline or a time before it.
type fieldDeadlines struct {
	fields  dict[int]    // indexes in ordered
	ordered deadlineHeap // the earliest first
	timer   expiry.Timer[fieldDeadlines]
	holder  *node[item]                   // the key, while the timer is in the wheel
	wheel   *expiry.Wheel[fieldDeadlines] // where the timer is; nil while no keyspace holds the hash
}

// fieldDeadline is a field with its deadline in ms since the epoch.
type fieldDeadline struct {
	when  int64
	field *node[int]
}

// fieldDeadlineWeight is the approximate number of bytes of a deadline.
const fieldDeadlineWeight = 96

// deadlineHeap implements heap.Interface; it keeps the indexes in fieldDeadlines.fields up to date.
type deadlineHeap []fieldDeadline

func (d deadlineHeap) Len() int           { return len(d) }
func (d deadlineHeap) Less(i, j int) bool { return d[i].when < d[j].when }
func (d deadlineHeap) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].field.val, d[j].field.val = i, j
}

// Push implements heap.Interface. What it adds is in place already: see fieldDeadlines.set.
func (d *deadlineHeap) Push(any) {}

// Pop implements heap.Interface.
func (d *deadlineHeap) Pop() any {
	last := len(*d) - 1
	(*d)[last] = fieldDeadline{}
	*d = (*d)[:last]
	return nil
}

// set gives a field a deadline.
func (d *fieldDeadlines) set(field string, when int64) {
	n := d.fields.get(bytesOf(field))
	if n == nil {
		n = d.fields.add(field, len(d.ordered))
		d.ordered = append(d.ordered, fieldDeadline{field: n})
	}
	d.ordered[n.val].when = when
	heap.Fix(&d.ordered, n.val)
}

// of returns the deadline of a field; ok is false if it has none.
func (d *fieldDeadlines) of(field []byte) (when int64, ok bool) {
	if d == nil {
		return 0, false
	}
	n := d.fields.get(field)
	if n == nil {
		return 0, false
	}
	return d.ordered[n.val].when, true
}

// remove takes the deadline of a field away and reports whether there was one.
func (d *fieldDeadlines) remove(field []byte) bool {
	n := d.fields.remove(field)
	if n != nil {
		heap.Remove(&d.ordered, n.val)
	}
	return n != nil
}

// earliest is the first deadline; there is one.
func (d *fieldDeadlines) earliest() int64 { return d.ordered[0].when }

// countDue counts the deadlines that have come. It reads no more than twice as many, and one.
func (d *fieldDeadlines) countDue(now int64) int { return d.countDueFrom(0, now) }

func (d *fieldDeadlines) countDueFrom(i int, now int64) int {
	if i >= len(d.ordered) || d.ordered[i].when > now {
		return 0
	}
	return 1 + d.countDueFrom(2*i+1, now) + d.countDueFrom(2*i+2, now)
}

// due returns the fields whose deadlines have come, in no particular order.
func (d *fieldDeadlines) due(now int64) (fields [][]byte) {
	if d == nil {
		return nil
	}
	for _, e := range d.ordered {
		if e.when <= now {
			fields = append(fields, bytesOf(e.field.key))
		}
	}
	return fields
}

// stopTimer takes the timer out of its wheel.
func (d *fieldDeadlines) stopTimer() {
	if d.wheel != nil {
		d.wheel.Drop(&d.timer)
		d.wheel, d.holder = nil, nil
	}
}

// clone copies the deadlines; the timer of the copy is not set.
func (d *fieldDeadlines) clone() *fieldDeadlines {
	if d == nil {
		return nil
	}
	c := &fieldDeadlines{ordered: make(deadlineHeap, 0, len(d.ordered))}
	for i, e := range d.ordered {
		c.ordered = append(c.ordered, fieldDeadline{e.when, c.fields.add(e.field.key, i)})
	}
	return c
}

func (d *fieldDeadlines) weight() int {
	if d == nil {
		return 0
	}
	return fieldDeadlineWeight * (1 + len(d.ordered))
}
