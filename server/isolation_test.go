package server

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// parallel makes a server run commands of different connections at the same time.
var parallel = Options{Config: "io-threads 4"}

// connect returns a client with one connection.
func connect(t *testing.T, s *Server) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: s.Addr(), PoolSize: 1})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Two keys that only ever change together are never seen apart, whether the script declares them or not.
func TestIsolation_ScriptsAreNotTorn(t *testing.T) {
	for name, write := range map[string]*redis.Script{
		"undeclared": redis.NewScript(`redis.call('incr', 'one' .. ARGV[1]); for i = 1, 50 do end; return redis.call('incr', 'two' .. ARGV[1])`),
		"declared":   redis.NewScript(`redis.call('incr', KEYS[1]); for i = 1, 50 do end; return redis.call('incr', KEYS[2])`),
		"declares one": redis.NewScript(`redis.call('incr', KEYS[1]); if tonumber(ARGV[2]) % 3 == 0 then redis.call('get', 'elsewhere') end
			return redis.call('incr', 'two' .. ARGV[1])`),
	} {
		t.Run(name, func(t *testing.T) {
			s := StartT(t, parallel)
			ctx := t.Context()
			const writers, rounds = 4, 200
			var writing sync.WaitGroup
			for range writers {
				c := connect(t, s)
				writing.Go(func() {
					for i := range rounds {
						if err := write.Run(ctx, c, []string{"one7", "two7"}, 7, i).Err(); err != nil {
							t.Errorf("%v", err)
							return
						}
					}
				})
			}
			done := make(chan struct{})
			go func() { writing.Wait(); close(done) }()
			reader := connect(t, s)
			for reading := true; reading; {
				select {
				case <-done:
					reading = false
				default:
				}
				one, two := readBoth(t, reader)
				require.Equal(t, one, two)
			}
			one, _ := readBoth(t, reader)
			require.Equal(t, strconv.Itoa(writers*rounds), one)
		})
	}
}

func readBoth(t *testing.T, c *redis.Client) (one, two string) {
	t.Helper()
	pair, err := c.MGet(t.Context(), "one7", "two7").Result()
	require.NoError(t, err)
	return fmt.Sprint(pair[0]), fmt.Sprint(pair[1])
}

// Whoever gets a message and then looks finds what its sender had written before.
func TestIsolation_AMessageComesAfterTheWrite(t *testing.T) {
	s := StartT(t, parallel)
	ctx := t.Context()
	publish := redis.NewScript(`redis.call('set', KEYS[1], ARGV[1]); redis.call('publish', 'ch', ARGV[1]); return 1`)
	const rounds = 500
	sub := connect(t, s).Subscribe(ctx, "ch")
	_, err := sub.Receive(ctx)
	require.NoError(t, err)
	defer sub.Close()
	go func() {
		c := connect(t, s)
		for i := range rounds {
			_ = publish.Run(ctx, c, []string{"k"}, i).Err()
		}
	}()
	looker := connect(t, s)
	for i := range rounds {
		m, err := sub.ReceiveMessage(ctx)
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(i), m.Payload, "messages come in order")
		seen, err := looker.Get(ctx, "k").Int()
		require.NoError(t, err)
		require.GreaterOrEqual(t, seen, i)
	}
}

// Increments by WATCH, GET, MULTI, SET, EXEC lose nothing.
func TestIsolation_WatchLosesNoUpdate(t *testing.T) {
	s := StartT(t, parallel)
	const clients, each = 8, 50
	var work sync.WaitGroup
	for range clients {
		c := connect(t, s)
		work.Go(func() {
			for done := 0; done < each; {
				if err := increment(t.Context(), c); err == nil {
					done++
				} else if err != redis.TxFailedErr {
					t.Errorf("%v", err)
					return
				}
			}
		})
	}
	work.Wait()
	got, err := connect(t, s).Get(t.Context(), "n").Int()
	require.NoError(t, err)
	require.Equal(t, clients*each, got)
}

func increment(ctx context.Context, c *redis.Client) error {
	return c.Watch(ctx, func(tx *redis.Tx) error {
		n, err := tx.Get(ctx, "n").Int()
		if err != nil && err != redis.Nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			return p.Set(ctx, "n", n+1, 0).Err()
		})
		return err
	}, "n")
}
