package server

import (
	"strconv"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// parallel makes a server run commands of different connections at the same time.
var parallel = Options{Config: "io-threads 4"}

// Two keys that only ever change together never differ for a reader, whether the script declares them or not.
func TestIsolation_ScriptsAreNotTorn(t *testing.T) {
	for name, write := range map[string]string{
		"undeclared": `redis.call('incr', 'one' .. ARGV[1]); for i = 1, 50 do end
			return redis.call('incr', 'two' .. ARGV[1])`,
		"declared": `redis.call('incr', KEYS[1]); for i = 1, 50 do end; return redis.call('incr', KEYS[2])`,
		"declares one": `redis.call('incr', KEYS[1]); if tonumber(ARGV[2]) % 3 == 0 then redis.call('get', 'elsewhere') end
			return redis.call('incr', 'two' .. ARGV[1])`,
	} {
		t.Run(name, func(t *testing.T) {
			s := StartT(t, parallel)
			const writers, rounds = 4, 200
			var writing sync.WaitGroup
			for range writers {
				c := connect(t, s)
				writing.Go(func() {
					for i := range rounds {
						if _, err := c.do("EVAL", write, 2, "one7", "two7", 7, i); err != nil {
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

func readBoth(t *testing.T, c *client) (one, two string) {
	t.Helper()
	pair := elements(c.must(t, "MGET", "one7", "two7"))
	return pair[0], pair[1]
}

// A client that gets a message can read what its sender had written before.
func TestIsolation_AMessageComesAfterTheWrite(t *testing.T) {
	s := StartT(t, parallel)
	const publish = `redis.call('set', KEYS[1], ARGV[1]); redis.call('publish', 'ch', ARGV[1]); return 1`
	const rounds = 500
	subscriber := connect(t, s)
	subscriber.must(t, "SUBSCRIBE", "ch")
	go func() {
		c := connect(t, s)
		for i := range rounds {
			_, _ = c.do("EVAL", publish, 1, "k", i)
		}
	}()
	looker := connect(t, s)
	for i := range rounds {
		message, err := subscriber.receive()
		require.NoError(t, err)
		require.Equal(t, []string{"message", "ch", strconv.Itoa(i)}, elements(message), "messages come in order")
		require.GreaterOrEqual(t, looker.must(t, "GET", "k").Int(), int64(i))
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
				executed, err := increment(c)
				if err != nil {
					t.Errorf("%v", err)
					return
				}
				if executed {
					done++
				}
			}
		})
	}
	work.Wait()
	require.EqualValues(t, clients*each, connect(t, s).must(t, "GET", "n").Int())
}

// increment adds 1 to n, unless another client changes n in the meantime.
func increment(c *client) (executed bool, err error) {
	if _, err = c.do("WATCH", "n"); err != nil {
		return false, err
	}
	n, err := c.do("GET", "n")
	if err != nil {
		return false, err
	}
	for _, words := range [][]any{{"MULTI"}, {"SET", "n", n.Int() + 1}} {
		if _, err = c.do(words...); err != nil {
			return false, err
		}
	}
	replies, err := c.do("EXEC")
	return replies.Count == 1, err
}
