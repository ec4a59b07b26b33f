package lock_test

import (
	"context"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

func (r *testServer) ttl(key string) time.Duration { return r.rdb.PTTL(ctx, key).Val() }

func TestWatchdog_RenewsEachThirdOfTheLease(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	h, err := r.client(lock.WithObserver(seen), lock.WithWatchdog(30*time.Minute)).Mutex("m").Lock(ctx)
	require.NoError(t, err)
	for range 10 {
		r.srv.Advance(8 * time.Minute)
		require.Less(t, r.ttl("m"), 23*time.Minute)
		r.srv.Advance(2 * time.Minute)
		require.NoError(t, next(t, seen.renewed).Err)
		require.Greater(t, r.ttl("m"), 28*time.Minute)
	}
	require.WithinDuration(t, r.srv.Clock().Now().Add(30*time.Minute), h.Deadline(), 2*time.Minute)
	require.NoError(t, h.Context().Err())
	require.NoError(t, h.Unlock(ctx))
	r.srv.Advance(time.Hour)
	require.Empty(t, seen.renewed)
	require.Empty(t, seen.lost)
}

// stopped is a clock that stands still.
type stopped struct{ clock.Real }

func (stopped) Now() time.Time                                  { return time.Unix(1e9, 0) }
func (stopped) AfterFunc(_ time.Duration, _ func()) clock.Timer { return new(neverTimer) }

type neverTimer struct{}

func (neverTimer) Reset(time.Duration) {}
func (neverTimer) Stop()               {}

func TestWatchdog_Renews100LocksACall(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	moved := clock.NewOffset(stopped{}) // all locks are taken at the same time
	c := r.client(lock.WithObserver(seen), lock.WithClock(moved))
	var handles []*lock.Handle
	for i := range 250 {
		h, err := c.Mutex("m" + string(rune('a'+i))).Lock(ctx)
		require.NoError(t, err)
		handles = append(handles, h)
	}
	r.resetStats()
	moved.Advance(15 * time.Second)
	require.Len(t, seen.renewed, len(handles))
	for range handles {
		require.NoError(t, next(t, seen.renewed).Err)
	}
	require.LessOrEqual(t, r.commands("evalsha")+r.commands("eval"), 7,
		"3 batches, of which some may not have found the script")
	for _, h := range handles {
		require.NoError(t, h.Unlock(ctx))
	}
}

func TestWatchdog_LeavesALeaseAlone(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	h, err := r.client(lock.WithObserver(seen)).Mutex("m").Lock(ctx, lock.Lease(10*time.Minute))
	require.NoError(t, err)
	r.srv.Advance(8 * time.Minute)
	require.NoError(t, h.Context().Err())
	r.srv.Advance(2 * time.Minute)
	await(t, h.Lost())
	<-h.Context().Done()
	require.ErrorIs(t, context.Cause(h.Context()), lock.ErrLost)
	require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	require.ErrorIs(t, h.Extend(ctx, time.Second), lock.ErrLost)
	require.Equal(t, h.Owner(), next(t, seen.lost).Owner)
	require.Empty(t, seen.renewed)
}

func TestWatchdog_NoticesThatAnotherHasIt(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	m := r.client(lock.WithObserver(seen)).Mutex("m")
	h, err := m.Lock(ctx)
	require.NoError(t, err)
	other := r.client().Mutex("m")
	was, err := other.ForceUnlock(ctx)
	require.NoError(t, err)
	require.True(t, was)
	_, err = other.Lock(ctx)
	require.NoError(t, err)
	r.srv.Advance(10 * time.Second)
	await(t, h.Lost())
	require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	info, err := m.Inspect(ctx)
	require.NoError(t, err)
	require.Zero(t, info.Holds(h.Owner()))
	require.True(t, info.Held())
}

func TestHandle_Unlock_TellsThatTheLockWasLost(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().Mutex("m")
		h, err := m.Lock(ctx)
		require.NoError(t, err)
		_, err = m.ForceUnlock(ctx)
		require.NoError(t, err)
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
		await(t, h.Lost())
	})
}

func TestHandle_Extend_SetsTheLeaseAndEndsTheWatch(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	h, err := r.client(lock.WithObserver(seen)).Mutex("m").Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, h.Extend(ctx, 5*time.Minute))
	require.Greater(t, r.ttl("m"), 4*time.Minute)
	r.srv.Advance(4 * time.Minute)
	require.NoError(t, h.Context().Err())
	require.Empty(t, seen.renewed)
	require.NoError(t, h.Extend(ctx, 5*time.Minute))
	r.srv.Advance(4 * time.Minute)
	require.NoError(t, h.Context().Err())
	r.srv.Advance(time.Minute)
	await(t, h.Lost())
}

func TestMaxHold_CutsTheLastRenewal(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	h, err := r.client(lock.WithObserver(seen), lock.WithWatchdog(30*time.Minute)).Mutex("m").Lock(ctx,
		lock.MaxHold(45*time.Minute))
	require.NoError(t, err)
	r.srv.Advance(10 * time.Minute)
	next(t, seen.renewed)
	r.srv.Advance(10 * time.Minute)
	next(t, seen.renewed)
	require.Less(t, r.ttl("m"), 26*time.Minute)
	r.srv.Advance(26 * time.Minute)
	await(t, h.Lost())
	require.Zero(t, r.rdb.Exists(ctx, "m").Val())
	require.Empty(t, seen.renewed)
}

func TestHandle_Context_EndsBeforeTheUnlockAndKeepsItsValues(t *testing.T) {
	type key struct{}
	r := newTestServer(t)
	waiting, cancel := context.WithCancel(context.WithValue(ctx, key{}, "kept"))
	h, err := r.client().Mutex("m").Lock(waiting)
	require.NoError(t, err)
	work := h.Context()
	cancel()
	require.NoError(t, work.Err(), "the context of the call bounds the wait only")
	require.Equal(t, "kept", work.Value(key{}))
	require.NoError(t, h.Unlock(waiting), "an unlock is sent even if its context has ended")
	require.ErrorIs(t, context.Cause(work), lock.ErrNotHeld)
	select {
	case <-h.Lost():
		require.Fail(t, "it was unlocked, not lost")
	default:
	}
}

func TestClient_Close_EndsWaitsAndHandles(t *testing.T) {
	r := newTestServer(t)
	c := r.client()
	h, err := c.Mutex("m").Lock(ctx)
	require.NoError(t, err)
	got := async(func() error { _, err := c.Mutex("m").Lock(ctx); return err })
	r.subscribed("redisson_lock__channel:{m}", 1)
	require.NoError(t, c.Close())
	require.ErrorIs(t, await(t, got), lock.ErrClosed)
	await(t, h.Lost())
	_, err = c.Mutex("n").Lock(ctx)
	require.ErrorIs(t, err, lock.ErrClosed)
	require.NoError(t, c.Close())
}
