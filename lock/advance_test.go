package lock_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
)

// counter is an observer that counts renewals and records the locks that were lost, with the time.
type counter struct {
	lock.NopObserver
	clock   lock.Clock
	renewed atomic.Int64

	mu   sync.Mutex // guards lost
	lost []loss
}

// loss is a lock that was lost.
type loss struct {
	name string
	at   time.Time
}

func (o *counter) Renewed(_ context.Context, e lock.Event) {
	if e.Err == nil {
		o.renewed.Add(1)
	}
}

func (o *counter) Lost(_ context.Context, e lock.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost = append(o.lost, loss{e.Name, o.clock.Now()})
}

func (o *counter) lostEvents() []loss {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// holder is a handle or a permit.
type holder interface {
	Context() context.Context
	Deadline() time.Time
}

// lockEveryKind takes 20 locks, of every type that is renewed.
func lockEveryKind(t *testing.T, c *lock.Client) (held []holder) {
	keep := func(h holder, err error) {
		require.NoError(t, err)
		held = append(held, h)
	}
	take := func(l lock.Locker) {
		h, err := l.Lock(ctx)
		keep(h, err)
	}
	for i := range 4 {
		name := fmt.Sprint(i)
		take(c.Mutex("mutex " + name))
		take(c.FairMutex("fair " + name))
	}
	take(c.SpinMutex("spin"))
	take(c.FencedMutex("fenced"))
	take(c.RWMutex("written"))
	for range 3 {
		take(c.RWMutex("read").RLocker())
	}
	take(lock.NewMulti(c.Mutex("one"), c.Mutex("other")))
	take(lock.NewRed(c.Mutex("first"), c.Mutex("second"), c.FairMutex("third")))
	s := c.PermitSemaphore("permits")
	_, err := s.TrySetPermits(ctx, 4)
	require.NoError(t, err)
	for range 2 {
		p, err := s.Acquire(ctx)
		keep(p, err)
	}
	both, err := s.AcquireMany(ctx, 2)
	require.NoError(t, err)
	keep(both[0], nil)
	keep(both[1], nil)
	require.Len(t, held, 20)
	return held
}

// failingHook makes commands fail while it is on, as if the network were down.
type failingHook struct{ on atomic.Bool }

var errUnplugged = errors.New("the network is down")

func (r *failingHook) DialHook(next redis.DialHook) redis.DialHook { return next }

func (r *failingHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if r.on.Load() {
			cmd.SetErr(errUnplugged)
			return errUnplugged
		}
		return next(ctx, cmd)
	}
}

func (r *failingHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if !r.on.Load() {
			return next(ctx, cmds)
		}
		for _, cmd := range cmds {
			cmd.SetErr(errUnplugged)
		}
		return errUnplugged
	}
}

// clientBehind is client with a hook.
func (r *testServer) clientBehind(hook redis.Hook, options ...lock.Option) *lock.Client {
	rdb := r.dial()
	rdb.AddHook(hook)
	c := lock.New(rdb, append([]lock.Option{lock.WithClock(r.srv.Clock())}, options...)...)
	r.t.Cleanup(func() { require.NoError(r.t, c.Close()) })
	return c
}

// requireLostInTime asserts that only h was lost, at the end of the lease that it had when the network went down. The
// watchdog counts whole milliseconds.
func requireLostInTime(t *testing.T, seen *counter, h *lock.Handle, cut time.Time) {
	t.Helper()
	require.ErrorIs(t, context.Cause(h.Context()), lock.ErrLost)
	lostEvents := seen.lostEvents()
	require.Len(t, lostEvents, 1)
	require.Equal(t, h.Name(), lostEvents[0].name)
	early := h.Deadline().Sub(lostEvents[0].at)
	require.GreaterOrEqual(t, early, time.Duration(0))
	require.Less(t, early, time.Millisecond)
	require.True(t, h.Deadline().After(cut.Add(20*time.Second-time.Millisecond)))
	require.False(t, h.Deadline().After(cut.Add(30*time.Second)))
}

// randomStep returns a duration between a millisecond and a minute, uniform on a logarithmic scale.
func randomStep(rng *rand.Rand) time.Duration {
	return time.Duration(math.Exp(rng.Float64()*math.Log(60_000)) * float64(time.Millisecond))
}

// advanceSpan returns by how much the clock advances in one test.
func advanceSpan() time.Duration {
	if !testenv.Long() || raceEnabled {
		return 100 * time.Minute
	}
	return 1000 * time.Minute
}

func TestAdvance_WatchedLocksAreKept(t *testing.T) {
	const seed = 1
	r := newTestServer(t)
	seen := &counter{clock: r.srv.Clock()}
	held := lockEveryKind(t, r.client(lock.WithObserver(seen)))
	down := new(failingHook)
	cutOff, err := r.clientBehind(down, lock.WithObserver(seen)).Mutex("doomed").Lock(ctx)
	require.NoError(t, err)

	rng := rand.New(rand.NewPCG(seed, seed))
	var cut time.Time
	for start := r.srv.Clock().Now(); r.srv.Clock().Now().Sub(start) < advanceSpan(); {
		r.srv.Advance(randomStep(rng))
		if now := r.srv.Clock().Now(); cut.IsZero() && now.Sub(start) > advanceSpan()/2 {
			require.NoError(t, cutOff.Context().Err())
			down.on.Store(true)
			cut = now
		}
	}
	requireHeld(t, r, held)
	requireLostInTime(t, seen, cutOff, cut)
	require.Zero(t, r.rdb.Exists(ctx, "doomed").Val())
	require.GreaterOrEqual(t, seen.renewed.Load(), int64(20*(advanceSpan()/(10*time.Second)-1)))
}

func requireHeld(t *testing.T, r *testServer, held []holder) {
	t.Helper()
	for i, h := range held {
		require.NoError(t, h.Context().Err(), "lock %d", i)
		require.Greater(t, h.Deadline().Sub(r.srv.Clock().Now()), 19*time.Second, "lock %d", i)
	}
}

// The same in one Advance, and in many steps that are shorter than a renewal takes.
func TestAdvance_InOneJumpOrManySteps(t *testing.T) {
	for name, step := range map[string]time.Duration{
		"at once": 10 * time.Minute, "by seconds": time.Second, "by halves of a lease": 15 * time.Second,
	} {
		t.Run(name, func(t *testing.T) {
			r := newTestServer(t)
			held := lockEveryKind(t, r.client())
			for range 10 * time.Minute / step {
				r.srv.Advance(step)
			}
			requireHeld(t, r, held)
		})
	}
}

// counting is the server's clock, and counts its timers.
type counting struct {
	*clock.Offset
	made atomic.Int64
}

func (c *counting) AfterFunc(d time.Duration, f func()) lock.Timer {
	defer c.made.Add(1)
	return c.Offset.AfterFunc(d, f)
}

// A waiter gets the lock when the lease of a dead holder ends, however far the clock advances, and keeps it.
func TestAdvance_AWaiterFollowsADeadHolder(t *testing.T) {
	for name, make := range map[string]func(*lock.Client) lock.Locker{
		"plain": func(c *lock.Client) lock.Locker { return c.Mutex("m") },
		"spin":  func(c *lock.Client) lock.Locker { return c.SpinMutex("m") },
		"fair":  func(c *lock.Client) lock.Locker { return c.FairMutex("m") },
		"read":  func(c *lock.Client) lock.Locker { return c.RWMutex("m").RLocker() },
	} {
		t.Run(name, func(t *testing.T) {
			r, seen := newTestServer(t), newRecorder()
			_, err := r.client().RWMutex("m").Lock(ctx, lock.Lease(30*time.Second))
			if name != "read" {
				require.NoError(t, r.rdb.Del(ctx, "m").Err())
				_, err = r.client().Mutex("m").Lock(ctx, lock.Lease(30*time.Second))
			}
			require.NoError(t, err)
			dead := r.srv.Clock().Now().Add(30 * time.Second)
			own := &counting{Offset: r.srv.Clock().(clock.Lent).Offset}
			m := make(r.client(lock.WithObserver(seen), lock.WithClock(own)))
			got := async(func() *lock.Handle { h, _ := m.Lock(ctx); return h })
			timers := int64(2) // one for heartbeats of the subscription, one for the end of the lease
			if name == "spin" {
				timers = 1
			}
			r.eventually("it sleeps", func() bool { return own.made.Load() >= timers })
			r.srv.Advance(time.Hour)
			require.EqualValues(t, 1, r.rdb.Exists(ctx, "m").Val(), "it has been kept for most of the hour")
			h := await(t, got)
			require.NoError(t, h.Context().Err())
			require.GreaterOrEqual(t, len(seen.renewed), 350)
			first := next(t, seen.renewed).Time
			require.WithinDuration(t, dead.Add(10*time.Second), first, time.Second)
		})
	}
}

// A rate limiter allows its rate, in whatever steps the clock advances.
func TestAdvance_RateLimiter(t *testing.T) {
	r := newTestServer(t)
	own := &counting{Offset: r.srv.Clock().(clock.Lent).Offset}
	l := r.client(lock.WithClock(own)).RateLimiter("api")
	start := r.srv.Clock().Now()
	_, err := l.TrySetRate(ctx, lock.Rate{Permits: 1, Interval: time.Minute})
	require.NoError(t, err)
	taken := make(chan time.Duration, 1000)
	taking, cancel := context.WithCancel(ctx)
	ended := async(func() error {
		for {
			if err := l.Acquire(taking, 1); err != nil {
				return err
			}
			taken <- r.srv.Clock().Now().Sub(start)
		}
	})
	for n := range int64(20) {
		passed := await(t, taken)
		require.GreaterOrEqual(t, passed, time.Duration(n)*time.Minute)
		require.Less(t, passed, time.Duration(n+1)*time.Minute)
		r.eventually("it sleeps", func() bool { return own.made.Load() > n })
		r.srv.Advance(time.Minute)
	}
	cancel()
	require.Error(t, await(t, ended))
}

// Each server has its own clock.
func TestAdvance_RedOverThreeServers(t *testing.T) {
	var servers []*testServer
	var members []lock.Locker
	for range 3 {
		r := newTestServer(t)
		servers = append(servers, r)
		members = append(members, r.client().Mutex("m"))
	}
	h, err := lock.NewRed(members...).Lock(ctx)
	require.NoError(t, err)
	for range 20 {
		for _, r := range servers {
			r.srv.Advance(time.Minute)
		}
	}
	require.NoError(t, h.Context().Err())
	for _, r := range servers {
		require.EqualValues(t, 1, r.rdb.Exists(ctx, "m").Val())
	}
	require.NoError(t, h.Unlock(ctx))
}

// Heartbeats use the client's clock. During Advance each PING gets its reply before the next is due, so the connection
// stays open.
func TestAdvance_HeartbeatsKeepTheConnection(t *testing.T) {
	r := newTestServer(t)
	h, err := r.client().Mutex("m").Lock(ctx)
	require.NoError(t, err)
	waiter := r.client()
	got := async(func() error { _, err := waiter.Mutex("m").Lock(ctx); return err })
	r.subscribed("redisson_lock__channel:{m}", 1)
	subscriber := r.rdb.Do(ctx, "client", "list", "type", "pubsub").Val().(string)
	r.srv.Advance(20 * time.Second) // the first pingInterval is due 30 s after the connection was made
	r.resetStats()
	r.srv.Advance(10 * time.Minute)
	require.Equal(t, 20, r.commands("ping"))
	id, _, _ := strings.Cut(subscriber, " ")
	require.Contains(t, r.rdb.Do(ctx, "client", "list", "type", "pubsub").Val().(string), id+" ")
	require.NoError(t, h.Unlock(ctx))
	require.NoError(t, await(t, got))
}
