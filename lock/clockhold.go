package lock

import (
	"context"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// clockHold makes Advance wait for a call that sleeps on the clock: from the time a timer wakes the call until it
// sleeps again or returns. It is passed in the context of the call. A nil *clockHold does nothing.
type clockHold struct {
	clock Clock

	mu   lockrank.Mutex[lockrank.ClockHold] // guards the rest
	done func()                             // nil while the clock is not held
	over bool
}

type clockHoldKey struct{}

// holding returns a context with a clockHold for a call that sleeps, and a function that ends it. Calls within the call
// share its clockHold.
func (c *Client) holding(ctx context.Context) (context.Context, func()) {
	if _, ok := c.clock.(clock.Holder); !ok || holdOf(ctx) != nil {
		return ctx, func() {}
	}
	h := &clockHold{clock: c.clock}
	return context.WithValue(ctx, clockHoldKey{}, h), h.end
}

// holdOf returns the clockHold in a context, or nil.
func holdOf(ctx context.Context) *clockHold {
	h, _ := ctx.Value(clockHoldKey{}).(*clockHold)
	return h
}

// begin is called by the timer that wakes the call.
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

// rest is called by the call before it sleeps, after it has set the timer that wakes it.
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

// end is called when the call returns. Timers no longer begin a hold.
func (h *clockHold) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	h.restLocked()
}

// backgroundHeld is background for work that a timer begins: Advance waits for it.
func (c *Client) backgroundHeld(f func(context.Context)) {
	ctx, end := c.holding(c.ctx)
	holdOf(ctx).begin()
	started := c.background(func() {
		defer end()
		f(ctx)
	})
	if !started {
		end()
	}
}
