package growth

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/engine"
)

// data is a kind of thing that there may be many of: how one is made and what is then done to any of them.
type data struct {
	make, use [][]byte
}

// keyDigits is where the number of the thing stands in a key, at its end.
const keyDigits = 8

// lockName has 40 bytes.
const lockName = "growth:of-a-name-that-is-common:00000000"

func BenchmarkKeys(b *testing.B) {
	growData(b, most(), data{make: words("SET", "key:00000000", "value"), use: words("GET", "key:00000000")})
}

// BenchmarkTTLs puts off when a key expires.
func BenchmarkTTLs(b *testing.B) {
	growData(b, most(), data{
		make: words("SET", "ttl:00000000", "value", "PX", "3600000"), use: words("PEXPIRE", "ttl:00000000", "3700000")})
}

// BenchmarkLocks takes a lock that is held once more: the hash of one field and its TTL are what a lock consists of.
func BenchmarkLocks(b *testing.B) {
	growData(b, upTo(1000, 1_000_000), data{
		make: words("EVAL", `redis.call('hset', KEYS[1], ARGV[1], 1) return redis.call('pexpire', KEYS[1], 3600000)`, "1", lockName, holder),
		use:  words("EVAL", `redis.call('hincrby', KEYS[1], ARGV[1], 1) return redis.call('pexpire', KEYS[1], 3700000)`, "1", lockName, holder),
	})
}

const holder = "b4a1c9f2-6d3e-4f70-8a15-2e9c7d60b3f8:52"

func most() []int {
	if *huge {
		return upTo(1000, 10_000_000)
	}
	return upTo(1000, 1_000_000)
}

// growData uses things at random, by direct calls, among more and more of them.
func growData(b *testing.B, sizes []int, d data) {
	grow(b, sizes, func(b *testing.B, n int) time.Duration {
		before := heap()
		e := engine.New()
		defer e.Close()
		s := e.Session()
		for i := range n {
			number(d.make, i)
			reply := s.Call(d.make)
			require.NotEqual(b, byte('-'), reply[0], "%s", reply)
		}
		memory := heap() - before
		random := rand.New(rand.NewPCG(1, 2))
		b.ReportAllocs()
		took := timed(b, 0, func(int) {
			number(d.use, random.IntN(n))
			s.Call(d.use)
		})
		b.ReportMetric(float64(memory)/float64(n), "B/thing")
		return took
	})
}

// number writes i over the digits of every word that ends in them.
func number(command [][]byte, i int) {
	for _, w := range command[1:] {
		if digits := len(w) - keyDigits; digits > 0 && w[digits-1] == ':' && w[digits] >= '0' && w[digits] <= '9' {
			copy(w[digits:], fmt.Appendf(nil, "%0*d", keyDigits, i))
		}
	}
}
