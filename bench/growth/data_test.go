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

// makeScripts are Lua commands that make object number i, by the kind of object.
var makeScripts = map[string]string{
	"lock": `local name = string.format('growth:of-a-name-that-is-common:%08d', i)
		redis.call('hset', name, ARGV[3], 1)
		redis.call('pexpire', name, 3600000)`,
	"string":       `redis.call('set', string.format('growth:string:%08d', i), string.format('value:%08d', i))`,
	"TTL":          `redis.call('set', string.format('growth:TTL:%08d', i), 'value', 'px', 3600000)`,
	"list element": `redis.call('rpush', 'growth:list', string.format('element:%08d', i))`,
	"zset member":  `redis.call('zadd', 'growth:zset', i, string.format('member:%08d', i))`,
}

// keysOf returns the number of keys of n objects: elements and members share one.
func keysOf(thing string, n int) int {
	switch thing {
	case "list element", "zset member":
		return 1
	}
	return n
}

// makeCommands returns scripts that make n objects, up to 10,000 each.
func makeCommands(thing string, n int) (commands [][]string) {
	const chunk = 10_000
	script := "for i = ARGV[1], ARGV[1] + ARGV[2] - 1 do\n" + makeScripts[thing] + "\nend return 1"
	for first := 0; first < n; first += chunk {
		commands = append(commands, []string{"EVAL", script, "0", decimal(first), decimal(min(chunk, n-first)), holder})
	}
	return commands
}

const holder = "b4a1c9f2-6d3e-4f70-8a15-2e9c7d60b3f8:52"

// numbered is replaced by the decimal number of an object in the command that uses it.
const numbered = "########"

func BenchmarkKeys(b *testing.B) {
	growThings(b, most(), "string", "GET", "growth:string:"+numbered)
}

// BenchmarkTTLs sets the expiry of keys to a later time.
func BenchmarkTTLs(b *testing.B) {
	growThings(b, most(), "TTL", "PEXPIRE", "growth:TTL:"+numbered, "3700000")
}

// BenchmarkLocks takes a lock again that is held: a hash with one field and a TTL.
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

// growThings uses random objects among growing numbers of them: by direct calls, and from clients of a server.
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
	elapsed := timed(b, 0, func(int) {
		load.PutDecimal(number, random.IntN(n))
		s.Call(use)
	})
	b.ReportMetric(float64(memory)/float64(n), "B/thing")
	return elapsed
}

// numberIn returns the number of the object in a command.
func numberIn(command [][]byte) []byte {
	for _, w := range command {
		if at := len(w) - len(numbered); at >= 0 && string(w[at:]) == numbered {
			return w[at:]
		}
	}
	panic("a command without a number")
}

// useFromClients returns the server's CPU time for a command.
func useFromClients(b *testing.B, s target.Server, n int, use []string) (elapsed time.Duration) {
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
		elapsed = time.Duration(float64(result.ServerCPU) / float64(result.Ops))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(elapsed.Nanoseconds()), "cpu-ns/op")
	return elapsed
}

// withNumbers returns a command for the generator, which sets the last digits of the object's number.
func withNumbers(use []string, firstDigits int) []string {
	number := fmt.Sprintf("%0*d", len(numbered)-len(load.KeyDigits), firstDigits) + load.KeyDigits
	args := make([]string, len(use))
	for i, word := range use {
		args[i] = strings.ReplaceAll(word, numbered, number)
	}
	return args
}
