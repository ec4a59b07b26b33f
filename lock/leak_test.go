package lock_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
)

// After locks of all types were taken and released, and some waits canceled, there is no key, no subscription and no
// goroutine left.
func TestNothingIsLeft(t *testing.T) {
	rounds := 100_000
	if !testenv.Long() || raceEnabled {
		rounds = 5_000
	}
	onBoth(t, func(t *testing.T, r *testServer) {
		rdb := redis.NewClient(&redis.Options{Addr: r.addr})
		c := lock.New(rdb)
		everyLocker := []lock.Locker{c.Mutex("a"), c.Mutex("b"), c.Mutex("c"), c.FairMutex("d"), c.RWMutex("e"),
			c.RWMutex("e").RLocker(),
			c.SpinMutex("f"), lock.NewMulti(c.Mutex("g"), c.Mutex("h"))}
		var all sync.WaitGroup
		const workers = 16
		for w := range workers {
			all.Go(func() {
				rnd := rand.New(rand.NewPCG(1, uint64(w)))
				for range rounds / workers {
					useOnce(t, everyLocker[rnd.IntN(len(everyLocker))], rnd)
				}
			})
		}
		all.Wait()
		r.eventually("no keys but latches", func() bool { return r.keys("redisson_unlock_latch") == 0 })
		r.eventually("no subscriptions", func() bool { return len(r.rdb.PubSubChannels(ctx, "*").Val()) == 0 })
		r.eventually("no latches", func() bool { return r.keys("-") == 0 })
		require.NoError(t, c.Close())
		require.NoError(t, rdb.Close())
		require.Empty(t, testenv.Goroutines("minilockd/lock"), "Close waits for them")
	})
}

// useOnce takes a lock and releases it, or cancels the wait.
func useOnce(t *testing.T, l lock.Locker, rnd *rand.Rand) {
	short, cancel := ctx, context.CancelFunc(func() {})
	if rnd.IntN(4) == 0 {
		short, cancel = context.WithTimeout(ctx, time.Duration(rnd.IntN(2000))*time.Microsecond)
	}
	defer cancel()
	h, err := l.Lock(short)
	if err == nil {
		err = h.Unlock(short)
	}
	if err != nil && !errors.Is(err, lock.ErrTimeout) {
		t.Error(err)
	}
}
