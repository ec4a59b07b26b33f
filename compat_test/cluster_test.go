package compat_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// A cluster client of go-redis finds all nodes from one, reads from replicas, and gets messages.
func TestCluster_GoRedis(t *testing.T) {
	c := server.StartCluster(t, 3, 1)
	rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs()[:1]})
	defer rdb.Close()
	ctx := t.Context()
	for i := range 100 {
		require.NoError(t, rdb.Set(ctx, fmt.Sprint("key:", i), i, 0).Err())
	}
	for i := range 100 {
		n, err := rdb.Get(ctx, fmt.Sprint("key:", i)).Int()
		require.NoError(t, err)
		require.Equal(t, i, n)
	}
	var keys int64
	var mu sync.Mutex
	require.NoError(t, rdb.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		n, err := node.DBSize(ctx).Result()
		mu.Lock()
		defer mu.Unlock()
		keys += n
		return err
	}))
	require.Equal(t, int64(100), keys)
	require.NoError(t, c.Sync(ctx))
	replicas := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs(), ReadOnly: true})
	defer replicas.Close()
	value, err := replicas.Get(ctx, "key:7").Result()
	require.NoError(t, err)
	require.Equal(t, "7", value)
	_, err = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Incr(ctx, "{t}a")
		p.Incr(ctx, "{t}b")
		return nil
	})
	require.NoError(t, err)
}

// While slots move and replicas take over, clients see no error, and no write is lost.
func TestCluster_MovesUnderLoad(t *testing.T) {
	c := server.StartCluster(t, 3, 1)
	rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs(), MaxRedirects: 16})
	defer rdb.Close()
	ctx := t.Context()
	const writers, keys = 4, 20
	stop := make(chan struct{})
	var counts [writers][keys]int64
	var work sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				key := i % keys
				if err := rdb.Incr(ctx, fmt.Sprintf("w%d:%d", w, key)).Err(); err != nil {
					t.Errorf("INCR: %v", err)
					return
				}
				counts[w][key]++
			}
		})
	}
	moves := moveAll(ctx, t, c, writers, keys)
	for _, s := range c.Replicas() {
		require.NoError(t, s.Do(ctx, "CLUSTER", "FAILOVER").Err())
	}
	close(stop)
	work.Wait()
	require.True(t, moves > 0)
	for w := range writers {
		for key := range keys {
			n, err := rdb.Get(ctx, fmt.Sprintf("w%d:%d", w, key)).Int64()
			if err != redis.Nil {
				require.NoError(t, err)
			}
			require.Equal(t, counts[w][key], n)
		}
	}
}

// moveAll moves the slots of the keys of all writers to the next master each, as redis-cli does.
func moveAll(ctx context.Context, t *testing.T, c *server.Cluster, writers, keys int) (moves int) {
	t.Helper()
	do := func(s *server.Server, args ...any) string {
		text, err := s.Do(ctx, args...).Text()
		require.NoError(t, err)
		return text
	}
	masters := c.Masters()
	for w := range writers {
		for key := range keys {
			n, err := masters[0].Do(ctx, "CLUSTER", "KEYSLOT", fmt.Sprintf("w%d:%d", w, key)).Int()
			require.NoError(t, err)
			slot := strconv.FormatInt(n, 10)
			from := slices.IndexFunc(masters, func(s *server.Server) bool {
				return s.Do(ctx, "GET", fmt.Sprintf("w%d:%d", w, key)).Err() == nil
			})
			require.True(t, from >= 0)
			source, target := masters[from], masters[(from+1)%3]
			do(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", masterID(ctx, source))
			do(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", masterID(ctx, target))
			moveKeys(ctx, t, source, target, slot)
			do(target, "CLUSTER", "SETSLOT", slot, "NODE", masterID(ctx, target))
			do(source, "CLUSTER", "SETSLOT", slot, "NODE", masterID(ctx, target))
			moves++
		}
	}
	return moves
}

func masterID(ctx context.Context, s *server.Server) string {
	id, _ := s.Do(ctx, "CLUSTER", "MYID").Text()
	return id
}

// moveKeys moves the keys of a slot until there are none.
func moveKeys(ctx context.Context, t *testing.T, source, target *server.Server, slot string) {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: target.Addr()})
	defer rdb.Close()
	host, port := "127.0.0.1", rdb.Options().Addr[len("127.0.0.1:"):]
	n, err := strconv.Atoi(slot)
	require.NoError(t, err)
	for {
		names, err := source.Do(ctx, "CLUSTER", "GETKEYSINSLOT", n, 10).Strings()
		require.NoError(t, err)
		if len(names) == 0 {
			return
		}
		args := []any{"MIGRATE", host, port, "", 0, 5000, "KEYS"}
		for _, name := range names {
			args = append(args, name)
		}
		require.NoError(t, source.Do(ctx, args...).Err())
	}
}
