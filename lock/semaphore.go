package lock

import (
	"context"
	"errors"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// Semaphore is a number of permits, in the layout of Redisson's RSemaphore. Permits belong to nobody: whoever has some
// may give them back, any process may give back more, and those of a process that dies are gone until somebody does. A
// [PermitSemaphore] has permits that come back by themselves.
type Semaphore struct {
	c             *Client
	key           string
	name, notices any
	settings      settings
}

// Semaphore is the semaphore with the given name. Of the options, [WithWait] has a meaning here.
func (c *Client) Semaphore(name string, options ...LockOption) *Semaphore {
	return &Semaphore{c: c, key: name, name: name, notices: prefixed("redisson_sc", name),
		settings: c.lockSettings(options)}
}

// Name is the semaphore's name, which is its key on the server.
func (s *Semaphore) Name() string { return s.key }

// TrySetPermits sets the number of permits if there is none yet, and reports whether it did.
func (s *Semaphore) TrySetPermits(ctx context.Context, n int64) (bool, error) {
	set, err := s.c.clearWith(ctx, semaphoreSet, func(publish any) []any {
		return semaphoreSet.call(2, s.name, s.notices, n, publish)
	})
	return set, s.failed(ctx, "set permits", err)
}

// Acquire takes n permits, waiting as long as ctx and [WithWait] allow until so many are free. Within a process those
// who wait are served in their order, so that many permits are not waited for in vain while others take single ones.
//
// A permit has no owner, so when a reply is lost nobody can say whether permits were taken. Acquire then returns
// [ErrUnavailable] and tries no more.
func (s *Semaphore) Acquire(ctx context.Context, n int64, options ...LockOption) error {
	return s.take(ctx, n, s.settings.with(options))
}

// TryAcquire takes n permits if so many are free, and returns [ErrTaken] if not.
func (s *Semaphore) TryAcquire(ctx context.Context, n int64) error {
	settings := s.settings
	settings.wait = 0
	return s.take(ctx, n, settings)
}

// Release gives n permits back. After a lost reply it returns [ErrUnavailable] and has perhaps been carried out.
func (s *Semaphore) Release(ctx context.Context, n int64) error {
	return s.failed(ctx, "release", s.send(ctx, semaphoreRelease, n))
}

// AddPermits changes the number of permits by n, which may be negative. After a lost reply it returns [ErrUnavailable]
// and has perhaps been carried out.
func (s *Semaphore) AddPermits(ctx context.Context, n int64) error {
	return s.failed(ctx, "add permits", s.send(ctx, semaphoreAdd, n))
}

// Available is how many permits are free.
func (s *Semaphore) Available(ctx context.Context) (int64, error) {
	n, err := s.c.rdb.Get(ctx, s.key).Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	return n, s.failed(ctx, "count permits", err)
}

// Drain takes all permits that are free, and tells how many they were.
func (s *Semaphore) Drain(ctx context.Context) (int64, error) {
	v, err := s.c.evalAny(ctx, semaphoreDrain, semaphoreDrain.call(1, s.name))
	return number(v), s.failed(ctx, "drain", err)
}

// number reads an integer that a script may reply as text.
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

// send runs a script that changes the number and tells the channel.
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
	p := parking{c: s.c, sort: "semaphore", name: s.key, channel: s.notices.(string), weight: max(n, 1), counts: true,
		fragile: true,
		attempt: func(ctx context.Context) (reply, error) {
			got, err := s.c.eval(ctx, atMostOnce, semaphoreAcquire, semaphoreAcquire.call(1, s.name, n))
			return reply{held: got == 1, ttl: Forever}, err
		}}
	err := p.enter(ctx, settings.wait)
	return (&Error{Op: "acquire", Name: s.key}).because(ctx, err, p.err)
}

func (s *Semaphore) failed(ctx context.Context, op string, err error) error {
	return (&Error{Op: op, Name: s.key}).because(ctx, err, nil)
}
