package lock

import (
	"context"
	"log/slog"
	"time"
)

// Observer gets the events of a client's locks. Its methods are called concurrently, by the goroutines that the events
// occur in, and must return soon. Embed [NopObserver] so that methods added later do not break the build.
type Observer interface {
	// Waited means that a wait has ended; Err is nil if it got the lock.
	Waited(ctx context.Context, e Event)
	// Acquired means that a lock was taken; Duration is the time since the call.
	Acquired(ctx context.Context, e Event)
	// Renewed means that the watchdog has sent a renewal; Duration is the time until its reply. If Err is set the watchdog
	// tries again.
	Renewed(ctx context.Context, e Event)
	// Released means that a lock was unlocked; Duration is the time it was held.
	Released(ctx context.Context, e Event)
	// Lost means that a lock was lost; Duration is the time it was held, and Err the reason.
	Lost(ctx context.Context, e Event)
}

// Event is an event for an [Observer]. The context passed with it is that of the call, or the one that the lock was
// taken with.
type Event struct {
	Kind     string    // of the lock, such as "lock" or "read lock"
	Name     string    // of the lock
	Owner    string    // uuid:thread
	Time     time.Time // on the client's clock
	Duration time.Duration
	Err      error
}

// NopObserver does nothing.
type NopObserver struct{}

// Waited implements [Observer].
func (NopObserver) Waited(context.Context, Event) {}

// Acquired implements [Observer].
func (NopObserver) Acquired(context.Context, Event) {}

// Renewed implements [Observer].
func (NopObserver) Renewed(context.Context, Event) {}

// Released implements [Observer].
func (NopObserver) Released(context.Context, Event) {}

// Lost implements [Observer].
func (NopObserver) Lost(context.Context, Event) {}

// observe calls one method of all observers. The event's duration is the time since start.
func (c *Client) observe(ctx context.Context, method func(Observer, context.Context, Event), since time.Time, e Event) {
	if len(c.observers) == 0 {
		return
	}
	e.Time = c.clock.Now()
	e.Duration = e.Time.Sub(since)
	for _, o := range c.observers {
		method(o, ctx, e)
	}
}

// observe is Client.observe for an event of a handle.
func (h *Handle) observe(ctx context.Context, method func(Observer, context.Context, Event), since time.Time,
	err error) {
	h.c.observe(ctx, method, since, Event{Kind: h.kindName, Name: h.name, Owner: h.owner, Err: err})
}

// logger is the Observer of WithLogger.
type logger struct{ *slog.Logger }

func (l logger) log(ctx context.Context, message string, e Event) {
	level, attrs := slog.LevelDebug, []slog.Attr{slog.String("kind", e.Kind), slog.String("lock", e.Name),
		slog.String("owner", e.Owner),
		slog.Duration("duration", e.Duration)}
	if e.Err != nil {
		level, attrs = slog.LevelWarn, append(attrs, slog.Any("error", e.Err))
	}
	l.LogAttrs(ctx, level, message, attrs...)
}

// Waited implements [Observer].
func (l logger) Waited(ctx context.Context, e Event) { l.log(ctx, "lock waited for", e) }

// Acquired implements [Observer].
func (l logger) Acquired(ctx context.Context, e Event) { l.log(ctx, "lock acquired", e) }

// Renewed implements [Observer].
func (l logger) Renewed(ctx context.Context, e Event) { l.log(ctx, "lock renewed", e) }

// Released implements [Observer].
func (l logger) Released(ctx context.Context, e Event) { l.log(ctx, "lock released", e) }

// Lost implements [Observer].
func (l logger) Lost(ctx context.Context, e Event) { l.log(ctx, "lock lost", e) }
