package lock_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// redOver returns a Red of locks with one name on several servers, with new clients.
func redOver(servers []*testServer, name string) *lock.Red {
	var members []lock.Locker
	for _, r := range servers {
		members = append(members, r.client().Mutex(name))
	}
	return lock.NewRed(members...)
}

func TestRed_Lock_ManyContend(t *testing.T) {
	servers := []*testServer{newTestServer(t), newTestServer(t), newTestServer(t)}
	const workers, sections = 6, 25
	count := 0
	var all sync.WaitGroup
	for range workers {
		red := redOver(servers, "r")
		all.Go(func() {
			for range sections {
				h, err := red.Lock(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				count++ // the race detector finds overlaps
				if err := h.Unlock(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, workers*sections, count)
	for _, r := range servers {
		r.eventually("nothing is left of late votes", func() bool { return r.rdb.Exists(ctx, "r").Val() == 0 })
	}
}

func TestRed_Lock_WaitIsOver(t *testing.T) {
	servers := []*testServer{newTestServer(t), newTestServer(t), newTestServer(t)}
	h, err := redOver(servers, "r").Lock(ctx)
	require.NoError(t, err)
	waiter := redOver(servers, "r")
	_, err = waiter.Lock(ctx, lock.WithWait(5*time.Millisecond))
	require.ErrorIs(t, err, lock.ErrTimeout)
	bounded, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	defer cancel()
	_, err = waiter.Lock(bounded)
	require.ErrorIs(t, err, lock.ErrTimeout)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, h.Unlock(ctx))
}

// A server that accepts connections and sends nothing delays only calls that need it.
func TestRed_SilentServer(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer mute.Close()
	rdb := redis.NewClient(&redis.Options{Addr: mute.Addr().String(), ReadTimeout: testTimeout, DialTimeout: testTimeout})
	defer rdb.Close()
	noLog := lock.New(rdb)
	servers := []*testServer{newTestServer(t), newTestServer(t)}
	one, other := servers[0].client().Mutex("r"), servers[1].client().Mutex("r")
	red := lock.NewRed(noLog.Mutex("r"), one, other)
	h, err := red.Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, h.Unlock(ctx))

	h, err = servers[0].client().Mutex("r").Lock(ctx)
	require.NoError(t, err)
	start := time.Now()
	_, err = red.TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrTaken)
	require.Less(t, time.Since(start), testTimeout/2, "it waited for the silent one")
	require.NoError(t, h.Unlock(ctx))
	require.Zero(t, servers[1].rdb.Exists(ctx, "r").Val(), "what it had is given back")
}

func TestRed_GoesOnWithoutAMinority(t *testing.T) {
	servers := []*testServer{newTestServer(t), newTestServer(t), newTestServer(t)}
	a, b := redOver(servers, "r"), redOver(servers, "r")
	h, err := a.Lock(ctx)
	require.NoError(t, err)
	_, err = b.TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrTaken)
	got := async(func() error { return b.Do(ctx, func(context.Context) error { return nil }) })
	servers[0].subscribed("redisson_lock__channel:{r}", 1)
	require.NoError(t, h.Unlock(ctx))
	require.NoError(t, await(t, got))

	require.NoError(t, servers[0].srv.Close())
	h, err = a.Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, h.Unlock(ctx))
	require.NoError(t, servers[1].srv.Close())
	_, err = a.TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrUnavailable)
}

func TestRed_IsLostWithTheMajority(t *testing.T) {
	servers := []*testServer{newTestServer(t), newTestServer(t), newTestServer(t)}
	h, err := redOver(servers, "r").Lock(ctx, lock.Lease(time.Hour))
	require.NoError(t, err)
	servers[0].srv.Advance(time.Hour)
	servers[1].srv.Advance(time.Hour - 10*time.Minute)
	require.NoError(t, h.Context().Err())
	servers[1].srv.Advance(10 * time.Minute)
	await(t, h.Lost())
	require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	require.Zero(t, servers[2].rdb.Exists(ctx, "r").Val())
}

// Members can be in a cluster, on a master with sentinels, or on a single server: workers continue after a failover of
// one and the end of another.
func TestRed_ClusterSentinelsAndOneServer(t *testing.T) {
	cluster, alone := clusterDial(startCluster(t)), startNode(t)
	master, sentinels := startSentinels(t)
	of := []func() lock.Locker{newLock(t, cluster), newLock(t, sentinels), newLock(t, func() redis.UniversalClient {
		return redis.NewClient(&redis.Options{Addr: alone.addr})
	})}
	red := func() lock.Locker {
		var members []lock.Locker
		for _, member := range of {
			members = append(members, member())
		}
		return lock.NewRed(members...)
	}
	takeTurns(t, red(), red(), "red", func(l lock.Locker) lock.Locker { return l })
	through(t, red, master.kill)
	through(t, red, alone.kill)
}

func TestRed_OnKeysOfAnotherType(t *testing.T) {
	servers := []*testServer{newTestServer(t), newTestServer(t), newTestServer(t)}
	for _, r := range servers[1:] {
		require.NoError(t, r.rdb.Set(ctx, "r", "text", 0).Err())
	}
	_, err := redOver(servers, "r").TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrWrongType)
	servers[0].eventually("the late member is released",
		func() bool { return servers[0].rdb.Exists(ctx, "r").Val() == 0 })
}
