package lockview

import (
	"slices"

	"github.com/minilockd/minilockd/locks"
)

// history is the last events, as many as its capacity.
type history struct {
	capacity int
	events   []locks.Event // a ring once it is full
	next     int           // where the next event goes then
}

// add adds a copy of an event, and returns it.
func (h *history) add(e *locks.Event) *locks.Event {
	if len(h.events) < h.capacity {
		h.events = append(h.events, *e)
		return &h.events[len(h.events)-1]
	}
	added := &h.events[h.next]
	*added = *e
	h.next = (h.next + 1) % h.capacity
	return added
}

// list returns the events that fit, oldest first; no more than the last count if it is positive.
func (h *history) list(count int, fits func(*locks.Event) bool) (list []locks.Event) {
	for i := range h.events {
		e := &h.events[(h.next+len(h.events)-1-i)%len(h.events)]
		if fits(e) {
			list = append(list, *e)
			if len(list) == count {
				break
			}
		}
	}
	slices.Reverse(list)
	return list
}
