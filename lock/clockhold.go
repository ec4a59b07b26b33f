package lock

import (
	"context"
	"sync"

	"github.com/minilockd/minilockd/internal/clock"
)

// clockHold is how a call that sleeps on a clock which a test moves makes the test wait for it: from the moment a timer
// wakes it until it sleeps again or returns. It travels in the call's context. A nil *clockHold does nothing.
type clockHold struct {
	clock Clock

	mu   sync.Mutex // guards the rest
	done func()     // nil while the clock is not held
	over bool
}

type clockHoldKey struct{}

// holding returns a context for a call that sleeps, and a function that ends it. Calls within the call share its hold.
func (c *Client) holding(ctx context.Context) (context.Context, func()) {
	if _, ok := c.clock.(clock.Holder); !ok || holdOf(ctx) != nil {
		return ctx, func() {}
	}
	h := &clockHold{clock: c.clock}
	return context.WithValue(ctx, clockHoldKey{}, h), h.end
}

// holdOf is the hold of the call that a context is for.
func holdOf(ctx context.Context) *clockHold {
	h, _ := ctx.Value(clockHoldKey{}).(*clockHold)
	return h
}

// begin is for the timer that wakes the call.
func (h *clockHold) begin() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done == nil && !h.over {
		h.done = clock.Hold(h.clock)
	}
}

// rest is for the call that is about to sleep, once the timer is armed that wakes it.
func (h *clockHold) rest() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.restLocked()
}

func (h *clockHold) restLocked() {
	if h.done != nil {
		h.done()
		h.done = nil
	}
}

// end is for the call that returns. What a timer begins from then on is nobody's.
func (h *clockHold) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	h.restLocked()
}

// backgroundHeld is background for work that a timer begins: a test that moves the clock waits for it.
func (c *Client) backgroundHeld(f func(context.Context)) {
	ctx, end := c.holding(c.ctx)
	holdOf(ctx).begin()
	began := c.background(func() {
		defer end()
		f(ctx)
	})
	if !began {
		end()
	}
}
