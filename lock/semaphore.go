package lock

import (
	"context"
	"errors"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// Semaphore is a number of permits, in the layout of Redisson's RSemaphore. Permits have no owner: any process may
// release any number of them, and those of a process that dies stay taken until another one releases them. The permits
// of a [PermitSemaphore] expire.
type Semaphore struct {
	c             *Client
	key           string
	name, notices any
	settings      settings
}

// Semaphore returns the semaphore with the given name. Of the options, only [WithWait] has an effect.
func (c *Client) Semaphore(name string, options ...LockOption) *Semaphore {
	return &Semaphore{c: c, key: name, name: name, notices: addPrefix("redisson_sc", name),
		settings: c.lockSettings(options)}
}

// Name returns the semaphore's name, which is its key on the server.
func (s *Semaphore) Name() string { return s.key }

// TrySetPermits sets the number of permits if there is none yet, and reports whether it did.
func (s *Semaphore) TrySetPermits(ctx context.Context, n int64) (bool, error) {
	set, err := s.c.clearWith(ctx, semaphoreSet, func(publish any) []any {
		return semaphoreSet.call(2, s.name, s.notices, n, publish)
	})
	return set, s.failed(ctx, "set permits", err)
}

// Acquire takes n permits. It waits until they are free, as long as ctx and [WithWait] allow. Within a process waiters
// get permits in their order, so that calls for single permits do not starve one for many.
//
// A permit has no owner, so after a lost reply it is unknown whether permits were taken. Acquire then returns
// [ErrUnavailable] and does not retry.
func (s *Semaphore) Acquire(ctx context.Context, n int64, options ...LockOption) error {
	return s.take(ctx, n, s.settings.with(options))
}

// TryAcquire takes n permits if they are free, and returns [ErrTaken] if not.
func (s *Semaphore) TryAcquire(ctx context.Context, n int64) error {
	settings := s.settings
	settings.wait = 0
	return s.take(ctx, n, settings)
}

// Release releases n permits. After a lost reply it returns [ErrUnavailable], and may have been executed.
func (s *Semaphore) Release(ctx context.Context, n int64) error {
	return s.failed(ctx, "release", s.send(ctx, semaphoreRelease, n))
}

// AddPermits adds n, which may be negative, to the number of permits. After a lost reply it returns [ErrUnavailable],
// and may have been executed.
func (s *Semaphore) AddPermits(ctx context.Context, n int64) error {
	return s.failed(ctx, "add permits", s.send(ctx, semaphoreAdd, n))
}

// Available returns the number of free permits.
func (s *Semaphore) Available(ctx context.Context) (int64, error) {
	n, err := s.c.rdb.Get(ctx, s.key).Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	return n, s.failed(ctx, "count permits", err)
}

// Drain takes all free permits, and returns their number.
func (s *Semaphore) Drain(ctx context.Context) (int64, error) {
	v, err := s.c.evalAny(ctx, semaphoreDrain, semaphoreDrain.call(1, s.name))
	return number(v), s.failed(ctx, "drain", err)
}

// number converts a reply that is an integer or its text.
func number(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case string:
		n, _ := strconv.ParseInt(v, 10, 64)
		return n
	}
	return 0
}

// send runs a script that changes the number of permits and sends the new number to the channel.
func (s *Semaphore) send(ctx context.Context, how *script, n int64) error {
	publish, err := s.c.routing.publishCommand(ctx)
	if err != nil {
		return err
	}
	_, err = s.c.evalAny(ctx, how, how.call(2, s.name, s.notices, n, publish))
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

func (s *Semaphore) take(ctx context.Context, n int64, settings settings) error {
	p := waitingCall{c: s.c, kindName: "semaphore", name: s.key, channel: s.notices.(string), weight: max(n, 1),
		carriesPermits: true, noRetry: true,
		attempt: func(ctx context.Context) (reply, error) {
			got, err := s.c.eval(ctx, atMostOnce, semaphoreAcquire, semaphoreAcquire.call(1, s.name, n))
			return reply{held: got == 1, ttl: Forever}, err
		}}
	err := p.start(ctx, settings.wait)
	return (&Error{Op: "acquire", Name: s.key}).because(ctx, err, p.err)
}

func (s *Semaphore) failed(ctx context.Context, op string, err error) error {
	return (&Error{Op: op, Name: s.key}).because(ctx, err, nil)
}
