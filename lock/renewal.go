package lock

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// renewal describes how the leases of one kind of lock are renewed.
type renewal struct {
	script *script
	size   int // locks in one call
	// call makes the command that renews some locks; the reply is an array, or for one lock a number: 1 renewed, 0 lost.
	call func(lease time.Duration, handles []*Handle) []any
}

// batchRenewal returns the renewal by a script for many locks: their keys, then the lease, then what entry adds for
// each.
func batchRenewal(s *script, entry func(h *Handle, keys, args []any) (k, a []any)) *renewal {
	return &renewal{script: s, size: batchSize, call: func(lease time.Duration, handles []*Handle) []any {
		keys, args := make([]any, 0, 4*len(handles)), make([]any, 0, 2*len(handles))
		for _, h := range handles {
			keys, args = entry(h, keys, args)
		}
		n := len(keys)
		return s.call(n, append(append(keys, leaseMillis(lease)), args...)...)
	}}
}

// batchSize is the number of locks that are renewed in one call, as in Redisson.
const batchSize = 100

var (
	errLeaseEnded = errors.New("the lease has ended")
	errRenewal    = errors.New("the server no longer has it")
)

// one renews or sets the lease of one lock and reports whether its owner still held it.
func (r *renewal) one(ctx context.Context, h *Handle, lease time.Duration) (bool, error) {
	v, err := h.c.evalAny(ctx, r.script, r.call(lease, []*Handle{h}))
	return err == nil && isOne(v, 0), err
}

// isOne reports whether element i of an array, or a single number, is 1.
func isOne(v any, i int) bool {
	if n, alone := v.(int64); alone {
		return n == 1
	}
	list, _ := v.([]any)
	return i < len(list) && list[i] == int64(1)
}

// need is what a handle needs when the watchdog checks it.
type need int8

const (
	needsNothing need = iota
	needsRenewal
	hasEnded
)

// check is the handle's part of watchdog.check. It schedules a check at the end of the lease, in case a renewal fails.
func (h *Handle) check(now time.Time) need {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := &h.c.watchdog
	switch {
	case h.state != held && h.state != unlocking:
		return needsNothing
	case w.millis(now) >= w.millis(h.deadline):
		return hasEnded
	}
	w.set(h, h.deadline)
	if h.watched && h.state == held {
		return needsRenewal
	}
	return needsNothing
}

// batch is a set of locks that are renewed in one call.
type batch struct {
	how     *renewal
	group   string // of the keys; see routing.group
	lease   time.Duration
	handles []*Handle
}

// renewAll sorts handles into batches and sends them, in one pipeline if there are several.
func (c *Client) renewAll(ctx context.Context, handles []*Handle) {
	now := c.clock.Now()
	batches := c.batches(handles, now)
	if len(batches) == 1 {
		b := batches[0]
		v, err := c.evalAny(ctx, b.how.script, b.how.call(b.lease, b.handles))
		c.renewed(ctx, b, now, v, err)
		return
	}
	const most = 64 // batches in one pipeline
	for part := range slices.Chunk(batches, most) {
		c.renewPart(ctx, part, c.clock.Now())
	}
}

func (c *Client) renewPart(ctx context.Context, part []batch, now time.Time) {
	pipe := c.rdb.Pipeline()
	cmds := make([]*redis.Cmd, len(part))
	for i, b := range part {
		cmds[i] = pipe.Do(ctx, b.how.call(b.lease, b.handles)...)
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	for i, b := range part {
		v, err := cmds[i].Result()
		if isNoScript(err) {
			v, err = c.evalAny(ctx, b.how.script, b.how.call(b.lease, b.handles))
		}
		c.renewed(ctx, b, now, v, err)
	}
}

// batches groups the handles that are to be renewed.
func (c *Client) batches(handles []*Handle, now time.Time) []batch {
	type key struct {
		how   *renewal
		group string
		lease time.Duration
	}
	var all []batch
	open := map[key]int{}
	for _, h := range handles {
		lease := h.renewable(now)
		if lease <= 0 {
			continue
		}
		k := key{h.kind.renewal(), c.routing.group(h.name), lease}
		i, found := open[k]
		if !found || len(all[i].handles) == k.how.size {
			i = len(all)
			open[k] = i
			all = append(all, batch{k.how, k.group, lease, nil})
		}
		all[i].handles = append(all[i].handles, h)
	}
	return all
}

// renewable returns the lease to set; 0 if the handle is not to be renewed.
func (h *Handle) renewable(now time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.state != held || !h.watched:
		return 0
	case h.maxEnd.IsZero():
		return h.c.watchdog.lease
	}
	return min(h.c.watchdog.lease, h.maxEnd.Sub(now).Truncate(time.Millisecond))
}

// renewed handles the result of a batch for each handle.
func (c *Client) renewed(ctx context.Context, b batch, sent time.Time, reply any, err error) {
	for i, h := range b.handles {
		switch {
		case err != nil:
			h.renewalFailed(b.lease, err)
		case isOne(reply, i):
			h.renewedAt(sent, b.lease)
		default:
			h.lose(errRenewal)
			continue
		}
		h.observe(ctx, Observer.Renewed, sent, err)
	}
}

func (h *Handle) renewedAt(sent time.Time, lease time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watched {
		h.confirmLocked(sent, lease)
	}
}

// renewalFailed schedules another renewal soon, until the lease ends.
func (h *Handle) renewalFailed(lease time.Duration, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ambiguous := mayRetry(err); ambiguous {
		h.pendingLeaseLocked(lease)
	}
	if h.state != held || !h.watched {
		return
	}
	next := h.c.clock.Now().Add(max(h.c.watchdog.lease/30, time.Millisecond))
	if next.After(h.deadline) {
		next = h.deadline
	}
	h.c.watchdog.set(h, next)
}
