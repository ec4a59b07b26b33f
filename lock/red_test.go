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

// redOver is the majority of the locks of one name on several servers, for clients of its own.
func redOver(rigs []*rig, name string) *lock.Red {
	var members []lock.Locker
	for _, r := range rigs {
		members = append(members, r.client().Mutex(name))
	}
	return lock.NewRed(members...)
}

func TestRed_Lock_ManyContend(t *testing.T) {
	rigs := []*rig{newRig(t), newRig(t), newRig(t)}
	const workers, sections = 6, 25
	count := 0
	var all sync.WaitGroup
	for range workers {
		red := redOver(rigs, "r")
		all.Go(func() {
			for range sections {
				h, err := red.Lock(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				count++ // the race detector looks on
				if err := h.Unlock(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, workers*sections, count)
	for _, r := range rigs {
		r.eventually("nothing is left of late votes", func() bool { return r.rdb.Exists(ctx, "r").Val() == 0 })
	}
}

func TestRed_Lock_WaitIsOver(t *testing.T) {
	rigs := []*rig{newRig(t), newRig(t), newRig(t)}
	h, err := redOver(rigs, "r").Lock(ctx)
	require.NoError(t, err)
	waiter := redOver(rigs, "r")
	_, err = waiter.Lock(ctx, lock.WithWait(5*time.Millisecond))
	require.ErrorIs(t, err, lock.ErrTimeout)
	bounded, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	defer cancel()
	_, err = waiter.Lock(bounded)
	require.ErrorIs(t, err, lock.ErrTimeout)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, h.Unlock(ctx))
}

// A server that takes connections and says nothing holds nobody up who does not need it.
func TestRed_SilentServer(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer mute.Close()
	rdb := redis.NewClient(&redis.Options{Addr: mute.Addr().String(), ReadTimeout: patience, DialTimeout: patience})
	defer rdb.Close()
	silent := lock.New(rdb)
	rigs := []*rig{newRig(t), newRig(t)}
	one, other := rigs[0].client().Mutex("r"), rigs[1].client().Mutex("r")
	red := lock.NewRed(silent.Mutex("r"), one, other)
	h, err := red.Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, h.Unlock(ctx))

	h, err = rigs[0].client().Mutex("r").Lock(ctx)
	require.NoError(t, err)
	began := time.Now()
	_, err = red.TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrTaken)
	require.Less(t, time.Since(began), patience/2, "it waited for the silent one")
	require.NoError(t, h.Unlock(ctx))
	require.Zero(t, rigs[1].rdb.Exists(ctx, "r").Val(), "what it had is given back")
}

func TestRed_GoesOnWithoutAMinority(t *testing.T) {
	rigs := []*rig{newRig(t), newRig(t), newRig(t)}
	a, b := redOver(rigs, "r"), redOver(rigs, "r")
	h, err := a.Lock(ctx)
	require.NoError(t, err)
	_, err = b.TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrTaken)
	got := async(func() error { return b.Do(ctx, func(context.Context) error { return nil }) })
	rigs[0].subscribed("redisson_lock__channel:{r}", 1)
	require.NoError(t, h.Unlock(ctx))
	require.NoError(t, await(t, got))

	require.NoError(t, rigs[0].srv.Close())
	h, err = a.Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, h.Unlock(ctx))
	require.NoError(t, rigs[1].srv.Close())
	_, err = a.TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrUnavailable)
}

func TestRed_IsLostWithTheMajority(t *testing.T) {
	rigs := []*rig{newRig(t), newRig(t), newRig(t)}
	h, err := redOver(rigs, "r").Lock(ctx, lock.Lease(time.Hour))
	require.NoError(t, err)
	rigs[0].srv.Advance(time.Hour)
	rigs[1].srv.Advance(time.Hour - 10*time.Minute)
	require.NoError(t, h.Context().Err())
	rigs[1].srv.Advance(10 * time.Minute)
	await(t, h.Lost())
	require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	require.Zero(t, rigs[2].rdb.Exists(ctx, "r").Val())
}

// A member may be in a cluster, with a master that sentinels watch, or on a server alone: a failover of one, and the
// end of another, let those who contend go on.
func TestRed_ClusterSentinelsAndOneServer(t *testing.T) {
	needRedis(t)
	cluster, alone := clusterDial(startCluster(t)), startNode(t)
	master, sentinels := startSentinels(t)
	of := []func() lock.Locker{contended(t, cluster), contended(t, sentinels), contended(t, func() redis.UniversalClient {
		return redis.NewClient(&redis.Options{Addr: alone.addr()})
	})}
	red := func() lock.Locker {
		var members []lock.Locker
		for _, member := range of {
			members = append(members, member())
		}
		return lock.NewRed(members...)
	}
	contend(t, red(), red(), "red", func(l lock.Locker) lock.Locker { return l })
	through(t, red, master.kill)
	through(t, red, alone.kill)
}

func TestRed_OnKeysOfAnotherType(t *testing.T) {
	rigs := []*rig{newRig(t), newRig(t), newRig(t)}
	for _, r := range rigs[1:] {
		require.NoError(t, r.rdb.Set(ctx, "r", "text", 0).Err())
	}
	_, err := redOver(rigs, "r").TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrWrongType)
	rigs[0].eventually("what came late is given back", func() bool { return rigs[0].rdb.Exists(ctx, "r").Val() == 0 })
}
