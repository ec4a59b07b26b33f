package growth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/engine"
	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/internal/require"
)

// makings are the things that there may be many of, by name: commands of Lua that make the one with number i.
var makings = map[string]string{
	"lock": `local name = string.format('growth:of-a-name-that-is-common:%08d', i)
		redis.call('hset', name, ARGV[3], 1)
		redis.call('pexpire', name, 3600000)`,
	"string":       `redis.call('set', string.format('growth:string:%08d', i), string.format('value:%08d', i))`,
	"TTL":          `redis.call('set', string.format('growth:TTL:%08d', i), 'value', 'px', 3600000)`,
	"list element": `redis.call('rpush', 'growth:list', string.format('element:%08d', i))`,
	"zset member":  `redis.call('zadd', 'growth:zset', i, string.format('member:%08d', i))`,
}

// keysOf is how many keys n things take: elements and members have one together.
func keysOf(thing string, n int) int {
	switch thing {
	case "list element", "zset member":
		return 1
	}
	return n
}

// makeCommands makes n things, by scripts of no more than 10,000.
func makeCommands(thing string, n int) (commands [][]string) {
	const chunk = 10_000
	script := "for i = ARGV[1], ARGV[1] + ARGV[2] - 1 do\n" + makings[thing] + "\nend return 1"
	for first := 0; first < n; first += chunk {
		commands = append(commands, []string{"EVAL", script, "0", decimal(first), decimal(min(chunk, n-first)), holder})
	}
	return commands
}

const holder = "b4a1c9f2-6d3e-4f70-8a15-2e9c7d60b3f8:52"

// numbered stands for the number of a thing, in decimal, in the command that uses it.
const numbered = "########"

func BenchmarkKeys(b *testing.B) {
	growThings(b, most(), "string", "GET", "growth:string:"+numbered)
}

// BenchmarkTTLs puts off when a key expires.
func BenchmarkTTLs(b *testing.B) {
	growThings(b, most(), "TTL", "PEXPIRE", "growth:TTL:"+numbered, "3700000")
}

// BenchmarkLocks takes a lock that is held once more: the hash of one field and its TTL are what a lock consists of.
func BenchmarkLocks(b *testing.B) {
	growThings(b, upTo(1000, 1_000_000), "lock", "EVAL",
		`redis.call('hincrby', KEYS[1], ARGV[1], 1) return redis.call('pexpire', KEYS[1], 3700000)`,
		"1", "growth:of-a-name-that-is-common:"+numbered, holder)
}

func most() []int {
	if *huge {
		return upTo(1000, 10_000_000)
	}
	return upTo(1000, 1_000_000)
}

// growThings uses things at random among more and more of them: by direct calls, and from clients of a server.
func growThings(b *testing.B, sizes []int, thing string, use ...string) {
	b.Run("direct", func(b *testing.B) {
		grow(b, sizes, func(b *testing.B, n int) time.Duration { return useDirectly(b, thing, n, words(use...)) })
	})
	growServers(b, sizes, func(b *testing.B, s target.Server, n int) time.Duration {
		require.NoError(b, load.Do(s.Place, makeCommands(thing, n)...))
		return useFromClients(b, s, n, use)
	}, target.Reference, "minilockd")
}

func useDirectly(b *testing.B, thing string, n int, use [][]byte) time.Duration {
	before := heap()
	e := engine.New()
	defer e.Close()
	s := e.Session()
	for _, command := range makeCommands(thing, n) {
		reply := s.Call(words(command...))
		require.Equal(b, ":1\r\n", string(reply))
	}
	memory := heap() - before
	random := rand.New(rand.NewPCG(1, 2))
	number := numberIn(use)
	b.ReportAllocs()
	took := timed(b, 0, func(int) {
		load.PutDecimal(number, random.IntN(n))
		s.Call(use)
	})
	b.ReportMetric(float64(memory)/float64(n), "B/thing")
	return took
}

// numberIn is where the number of the thing stands in a command.
func numberIn(command [][]byte) []byte {
	for _, w := range command {
		if at := len(w) - len(numbered); at >= 0 && string(w[at:]) == numbered {
			return w[at:]
		}
	}
	panic("a command without a number")
}

// useFromClients is the server's CPU time for a command.
func useFromClients(b *testing.B, s target.Server, n int, use []string) (took time.Duration) {
	const clients, warmup, window = 50, 100 * time.Millisecond, time.Second
	spec := load.Spec{Place: s.Place, Conns: clients, Batch: 1, Warmup: warmup, Window: window}
	// A worker numbers its keys by the last six digits; the others differ from step to step.
	const numbers = 1_000_000
	spec.OwnKeys = min(n, numbers) / clients
	for first := 0; first < n; first += numbers {
		spec.Steps = append(spec.Steps, load.Step{Args: withNumbers(use, first/numbers)})
	}
	for b.Loop() {
		result, err := target.Generate(spec, 0)
		require.NoError(b, err)
		took = time.Duration(float64(result.ServerCPU) / float64(result.Ops))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took.Nanoseconds()), "cpu-ns/op")
	return took
}

// withNumbers is a command for the generator, which fills in the last digits of the thing's number.
func withNumbers(use []string, firstDigits int) []string {
	number := fmt.Sprintf("%0*d", len(numbered)-len(load.KeyDigits), firstDigits) + load.KeyDigits
	args := make([]string, len(use))
	for i, word := range use {
		args[i] = strings.ReplaceAll(word, numbered, number)
	}
	return args
}
