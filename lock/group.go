package lock

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
)

// group is the members of a handle of a [Multi] or [Red], of which need must be held.
type group struct {
	members    []*Handle
	need       int
	clockDrift bool // the members are on several servers, whose clocks may run at different speeds
}

// newGroupHandle makes one handle of many. It is lost at once if too many members are already lost.
func newGroupHandle(ctx context.Context, members []*Handle, need int, clockDrift bool) *Handle {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	first := members[0]
	h := &Handle{c: first.c, kindName: "lock of several", name: strings.Join(names, " "), owner: first.owner, values: ctx,
		holds: 1,
		start: first.c.clock.Now(), group: &group{members, need, clockDrift}}
	for _, m := range members {
		m.mu.Lock()
		m.parent = h
		m.mu.Unlock()
	}
	h.memberLost()
	return h
}

// memberLost is called when a member was lost.
func (h *Handle) memberLost() {
	left := 0
	for _, m := range h.group.members {
		if m.holding() {
			left++
		}
	}
	if left < h.group.need {
		h.lose(errMemberLost)
	}
}

var errMemberLost = errors.New("too many of its members have been lost")

func (h *Handle) holding() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state == held
}

// deadline returns the time until which enough members are known to be held. For several servers it is 1 % of the lease
// and 2 ms earlier, since clocks drift (Redlock's clock drift factor).
func (g *group) deadline() time.Time {
	ends := make([]time.Time, len(g.members))
	for i, m := range g.members {
		ends[i] = m.Deadline()
	}
	slices.SortFunc(ends, func(a, b time.Time) int { return b.Compare(a) })
	if !g.clockDrift {
		return ends[g.need-1]
	}
	return ends[g.need-1].Add(-g.members[0].lease/100 - 2*time.Millisecond)
}

// each calls f for all members at once.
func (g *group) each(f func(*Handle) error) []error {
	all := make([]error, len(g.members))
	var work sync.WaitGroup
	for i, m := range g.members {
		work.Go(func() { all[i] = f(m) })
	}
	work.Wait()
	return all
}

// enough returns nil if enough members succeeded, else the errors of the others.
func (g *group) enough(errs []error) error {
	good := 0
	for _, err := range errs {
		if err == nil {
			good++
		}
	}
	if good >= g.need {
		return nil
	}
	return errors.Join(errs...)
}

// unlockGroup is Unlock of a group.
func (h *Handle) unlockGroup(ctx context.Context) error {
	h.unlockMu.Lock()
	defer h.unlockMu.Unlock()
	last, err := h.beginGroupUnlock()
	errs := h.group.each(func(m *Handle) error { return m.unlockAgain(ctx) }) // also the remaining members of a lost group
	if err != nil {
		return err
	}
	if err := h.group.enough(errs); err != nil {
		return h.groupFailed("unlock", err)
	}
	h.releasedOne(ctx, last)
	return nil
}

func (h *Handle) beginGroupUnlock() (last bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == released || h.state == lost {
		return false, h.error("unlock", h.endLocked(), nil)
	}
	if last = h.holds == 1; last && h.state == held {
		h.state = unlocking
		h.endedLocked()
	}
	return last, nil
}

// unlockAgain is Unlock, but without an error if the member was unlocked before.
func (h *Handle) unlockAgain(ctx context.Context) error {
	if err := h.Unlock(ctx); !errors.Is(err, ErrNotHeld) {
		return err
	}
	return nil
}

// groupFailed returns the error of a group from those of its members: ErrUnavailable if one has it, else the next in
// the list.
func (h *Handle) groupFailed(op string, err error) error {
	for _, kind := range []error{ErrUnavailable, ErrClosed, ErrTimeout, ErrWrongType, ErrLost} {
		if errors.Is(err, kind) {
			return h.error(op, kind, err)
		}
	}
	return h.error(op, ErrNotHeld, err)
}

// onGroup calls f for all members of a group that is held.
func (h *Handle) onGroup(op string, f func(*Handle) error) error {
	if _, err := h.usable(op); err != nil {
		return err
	}
	if err := h.group.enough(h.group.each(f)); err != nil {
		return h.groupFailed(op, err)
	}
	return nil
}

// reenterGroup is Reenter of a group.
func (h *Handle) reenterGroup(ctx context.Context) error {
	if err := h.onGroup("reenter", func(m *Handle) error { return m.Reenter(ctx) }); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holds++
	return nil
}
