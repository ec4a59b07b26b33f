package data

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// XREADGROUP with CLAIM first delivers entries that have been pending for min-idle-time, the longest idle first, like
// XAUTOCLAIM. Each entry of the reply also has how long it was idle, in ms, and how often it had been delivered; both
// are 0 for a new one. NOACK does not apply to claimed entries. A call that blocks is tried again when the first
// pending entry has been idle for long enough (XREADGROUP command page).

var (
	errMinIdleInteger  = errors.New("ERR min-idle-time is not an integer or out of range")
	errMinIdleNegative = errors.New("ERR min-idle-time must be a positive integer")
)

// parseClaim reads argument i, the value of CLAIM.
func (o *xreadOptions) parseClaim(c *command.Call, i int) (err error) {
	o.claims = true
	switch o.minIdle, err = c.Int(i); {
	case err != nil:
		return errMinIdleInteger
	case o.minIdle < 0:
		return errMinIdleNegative
	}
	return nil
}

// claim delivers up to count pending entries, and reports whether there were any. Entries that were deleted from the
// stream leave the pending list instead.
func (d *groupDelivery) claim() bool {
	if !d.claims {
		return false
	}
	now := d.c.Tx.Latest()
	for _, p := range d.idlePending(now) {
		if d.count > 0 && len(d.entries) == d.count {
			break
		}
		f, ok := d.s.Entry(p.ID())
		if !ok {
			d.propagateEntry(p.ID())
			d.g.Ack(p.ID())
			d.c.Tx.CountChanges(1)
			continue
		}
		d.entries = append(d.entries, claimedReply(p.ID(), f, now-p.DeliveredAt, p.DeliveryCount))
		d.g.Deliver(p.ID(), d.m, now, p.DeliveryCount+1)
		d.m.SetActive(now)
		d.propagateEntry(p.ID())
	}
	return len(d.entries) > 0
}

// idlePending returns the pending entries that have been idle for long enough, the longest idle first.
func (d *groupDelivery) idlePending(now int64) (idle []*store.PendingEntry) {
	for p := range d.g.Pending {
		if now-p.DeliveredAt >= d.minIdle {
			idle = append(idle, p)
		}
	}
	slices.SortStableFunc(idle, func(a, b *store.PendingEntry) int { return cmp.Compare(a.DeliveredAt, b.DeliveredAt) })
	return idle
}

// claimedReply is entryReply with how long and how often the entry was delivered before.
func claimedReply(id store.StreamID, f store.Fields, idle, deliveryCount int64) resp.Value {
	e := entryReply(id, f).Elems()
	return resp.Array(e[0], e[1], resp.Int(idle), resp.Int(deliveryCount))
}

// retryWhenIdle makes a call that is going to block try again when the first pending entry of one of its groups has
// been idle for long enough.
func (o *xreadOptions) retryWhenIdle(c *command.Call) {
	if !o.claims || !o.blocks {
		return
	}
	first := int64(math.MaxInt64)
	for _, key := range o.keys {
		if s, err := store.Get[*store.Stream](c.Tx, key, store.NoStats); err == nil && s != nil {
			for p := range s.Group(o.group).Pending {
				first = min(first, p.DeliveredAt)
			}
		}
	}
	if wait := o.minIdle - (c.Tx.Latest() - first); first != math.MaxInt64 && wait < command.MaxTimeout {
		c.RetryIn(time.Duration(wait) * time.Millisecond)
	}
}
