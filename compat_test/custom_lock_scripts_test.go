package compat

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// Lock scripts that applications often contain.
var (
	compareAndDelete = redis.NewScript(`
		if redis.call('get', KEYS[1]) == ARGV[1] then
			return redis.call('del', KEYS[1])
		end
		return 0`)
	reentrantLock = redis.NewScript(`
		local key, owner, seconds = KEYS[1], ARGV[1], ARGV[2]
		if redis.call('exists', key) == 0 or redis.call('hexists', key, owner) == 1 then
			redis.call('hincrby', key, owner, '1')
			redis.call('expire', key, seconds)
			return 1
		end
		return 0`)
	reentrantUnlock = redis.NewScript(`
		local key, owner, seconds = KEYS[1], ARGV[1], ARGV[2]
		if redis.call('hexists', key, owner) == 0 then return nil end
		if redis.call('hincrby', key, owner, -1) > 0 then
			redis.call('expire', key, seconds)
			return nil
		end
		redis.call('del', key)
		return 1`)
)

func TestCustomLockScripts_SetNXAndCompareAndDelete(t *testing.T) {
	srv := server.StartT(t)
	ctx, c := t.Context(), redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer c.Close()
	take := func(owner string) error {
		return c.SetArgs(ctx, "lock", owner, redis.SetArgs{Mode: "NX", TTL: 10 * time.Second}).Err()
	}
	require.NoError(t, take("A"))
	require.ErrorIs(t, take("B"), redis.Nil)
	require.EqualValues(t, 0, compareAndDelete.Run(ctx, c, []string{"lock"}, "B").Val(), "B does not hold it")
	require.EqualValues(t, 1, compareAndDelete.Run(ctx, c, []string{"lock"}, "A").Val())
	require.NoError(t, take("B"))
	srv.Advance(10 * time.Second)
	require.NoError(t, take("A"), "B's lease has ended")
	require.EqualValues(t, 0, compareAndDelete.Run(ctx, c, []string{"lock"}, "B").Val())
}

func TestCustomLockScripts_ReentrantLock(t *testing.T) {
	srv := server.StartT(t)
	ctx, c := t.Context(), redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer c.Close()
	keys := []string{"lock"}
	lock := func(owner string) any { return reentrantLock.Run(ctx, c, keys, owner, 30).Val() }
	unlock := func(owner string) error { return reentrantUnlock.Run(ctx, c, keys, owner, 30).Err() }

	require.EqualValues(t, 1, lock("A"))
	require.EqualValues(t, 1, lock("A"))
	require.EqualValues(t, 0, lock("B"))
	require.ErrorIs(t, unlock("B"), redis.Nil)
	require.ErrorIs(t, unlock("A"), redis.Nil, "still held once")
	require.Equal(t, "1", c.HGet(ctx, "lock", "A").Val())
	require.NoError(t, unlock("A"))
	require.EqualValues(t, 1, lock("B"))
	srv.Advance(30 * time.Second)
	require.EqualValues(t, 0, c.Exists(ctx, "lock").Val())
	require.EqualValues(t, 1, lock("A"))
}
