package compat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// valuesToDump is the number of random values that the servers exchange.
const valuesToDump = 3000

// Both servers get the same values. Each must restore the other's payloads to the same data, and dump the same bytes
// again. Unless a payload depends on time, both must dump the same bytes from the start.
func TestDump_SamePayloads(t *testing.T) {
	total := valuesToDump
	if !testenv.Long() {
		total = 300
	}
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	rnd := rand.New(rand.NewPCG(*randomSeed, 0))
	const batch = 100 // keys at a time
	for from := 0; from < total; from += batch {
		x := dumpExchange{t: t, ref: ref, target: target}
		x.both(append(randomThresholds(rnd), []string{"FLUSHALL"}))
		for i := range batch {
			x.both(randomValue(rnd, "k"+strconv.Itoa(i)))
		}
		x.run(batch)
		require.Empty(t, x.differences.String(), "seed %d, from value %d", *randomSeed, from)
	}
}

// dumpExchange restores the dumps of two servers on the other one.
type dumpExchange struct {
	t           *testing.T
	ref, target *rawClient
	differences strings.Builder
}

// both sends the same commands to both servers.
func (x *dumpExchange) both(commands [][]string) (want, got []reply) {
	x.t.Helper()
	want, err := x.ref.pipeline(commands)
	require.NoError(x.t, err)
	got, err = x.target.pipeline(commands)
	require.NoError(x.t, err)
	return want, got
}

// run exchanges the dumps of the keys k0, k1 … as r0, r1 …
func (x *dumpExchange) run(keys int) {
	encodings, got := x.both(eachKey("k", keys, "OBJECT", "ENCODING"))
	x.compare("OBJECT ENCODING", encodings, encodings, got)
	want, got := x.both(eachKey("k", keys, "DUMP"))
	for i := range keys {
		key := "r" + strconv.Itoa(i)
		require.Equal(x.t, "+OK", x.ref.do(x.t, "RESTORE", key, "0", got[i].text).String(), "%s: %q", encodings[i].text,
			got[i].text)
		require.Equal(x.t, "+OK", x.target.do(x.t, "RESTORE", key, "0", want[i].text).String(), "%s: %q", encodings[i].text,
			want[i].text)
	}
	x.compare("DUMP", encodings, withoutGroups(want), withoutGroups(got))
	refBack, targetBack := x.both(eachKey("r", keys, "DUMP"))
	x.compare("minilockd's payload, restored and dumped by redis", encodings, refBack, got)
	x.compare("redis' payload, restored and dumped by minilockd", encodings, want, targetBack)
	x.differences.WriteString(differentKeys(keyspace(x.t, x.ref), keyspace(x.t, x.target)))
	want, got = x.both(eachKey("r", keys, "OBJECT", "ENCODING"))
	x.compare("OBJECT ENCODING of what was restored", encodings, want, got)
	want, got = x.both(eachKey("k", keys, "DEBUG", "DIGEST-VALUE"))
	for i := range want {
		if want[i].String() != got[i].String() {
			fmt.Fprintf(&x.differences, "\nDEBUG DIGEST-VALUE: %s %d", encodings[i].text, i)
		}
	}
	want, got = x.both([][]string{{"DEBUG", "DIGEST"}, {"DEBUG", "RELOAD"}, {"DEBUG", "DIGEST"}})
	x.compare("DEBUG DIGEST", want, want, got)
}

// compare records where replies differ, except for values whose elements have no order.
func (x *dumpExchange) compare(what string, encodings, want, got []reply) {
	for i := range want {
		if encodings[i].text != "hashtable" && want[i].text != got[i].text {
			fmt.Fprintf(&x.differences, "\n%s: %s %d, %s", what, encodings[i].text, i, differentBytes(want[i].text, got[i].text))
		}
	}
}

// withoutGroups clears the dumps of streams with groups, which contain times.
func withoutGroups(dumps []reply) []reply {
	dumps = slices.Clone(dumps)
	for i := range dumps {
		if strings.Contains(dumps[i].text, groupName) {
			dumps[i] = reply{}
		}
	}
	return dumps
}

// differentBytes formats two payloads, from shortly before the first difference.
func differentBytes(one, other string) string {
	at := 0
	for at < min(len(one), len(other)) && one[at] == other[at] {
		at++
	}
	from := max(0, at-20)
	return fmt.Sprintf("from byte %d of %d and %d:\n   redis: %.99q\n  target: %.99q", from, len(one), len(other),
		one[from:], other[from:])
}

// eachKey returns a command for each of n numbered keys.
func eachKey(prefix string, keys int, words ...string) (commands [][]string) {
	for i := range keys {
		commands = append(commands, append(slices.Clone(words), prefix+strconv.Itoa(i)))
	}
	return commands
}

// randomThresholds sets the sizes at which values change their encoding.
func randomThresholds(rnd *rand.Rand) (commands [][]string) {
	for name, usual := range map[string]string{"hash-max-listpack-entries": "512", "hash-max-ziplist-value": "64",
		"zset-max-listpack-entries": "128", "zset-max-listpack-value": "64", "set-max-intset-entries": "512",
		"list-max-listpack-size": "-2", "stream-node-max-bytes": "4096", "stream-node-max-entries": "100"} {
		value := usual
		switch choice := rnd.IntN(6); {
		case choice == 0 && name == "list-max-listpack-size":
			value = strconv.Itoa(rnd.IntN(40) - 6)
		case choice == 0:
			value = strconv.Itoa(rnd.IntN(1000))
		case choice == 1:
			value = strconv.Itoa(rnd.IntN(10))
		}
		commands = append(commands, []string{"CONFIG", "SET", name, value})
	}
	return commands
}

// randomValue returns commands that store a random value of a random type.
func randomValue(rnd *rand.Rand, key string) [][]string {
	size := 1 + rnd.IntN(12)
	if rnd.IntN(10) == 0 {
		size = 1 + rnd.IntN(700)
	}
	switch kind := rnd.IntN(6); kind {
	case 0:
		return [][]string{{"SET", key, randomString(rnd)}}
	case 1:
		return [][]string{append([]string{"RPUSH", key}, randomStrings(rnd, size)...)}
	case 2:
		return [][]string{append([]string{"SADD", key}, randomStrings(rnd, size)...)}
	case 3:
		args := []string{"HSET", key}
		for range size {
			args = append(args, randomString(rnd), randomString(rnd))
		}
		return [][]string{args}
	case 4:
		args := []string{"ZADD", key}
		for range size {
			args = append(args, randomScore(rnd), randomString(rnd))
		}
		return [][]string{args}
	default:
		return randomStream(rnd, key, size)
	}
}

func randomStream(rnd *rand.Rand, key string, size int) (commands [][]string) {
	id, fields := rnd.Uint64N(1000), randomStrings(rnd, 1+rnd.IntN(4))
	for range size {
		args := []string{"XADD", key, strconv.FormatUint(id, 10) + "-" + strconv.Itoa(1+rnd.IntN(300))}
		if rnd.IntN(8) == 0 {
			fields = randomStrings(rnd, 1+rnd.IntN(4))
		}
		for _, f := range fields {
			args = append(args, f, randomString(rnd))
		}
		commands = append(commands, args)
		id += 1 + rnd.Uint64N(1<<(3+rnd.IntN(30)))
	}
	for range rnd.IntN(3) {
		commands = append(commands, randomGroup(rnd, key)...)
	}
	return commands
}

// groupName is the beginning of the names of groups.
const groupName = "a group "

// randomGroup returns commands that create a group and let some consumers read.
func randomGroup(rnd *rand.Rand, key string) [][]string {
	group := groupName + randomLetters(rnd, 5)
	commands := [][]string{{"XGROUP", "CREATE", key, group, []string{"0", "$", "100-1"}[rnd.IntN(3)]}}
	for range rnd.IntN(4) {
		consumer := "consumer " + strconv.Itoa(rnd.IntN(3))
		commands = append(commands, []string{"XREADGROUP", "GROUP", group, consumer, "COUNT", strconv.Itoa(1 + rnd.IntN(5)),
			"STREAMS", key, ">"})
	}
	return commands
}

func randomStrings(rnd *rand.Rand, n int) []string {
	texts := make([]string, n)
	ints := rnd.IntN(3) == 0
	for i := range texts {
		if texts[i] = randomString(rnd); ints {
			texts[i] = randomInt(rnd)
		}
	}
	return texts
}

func randomInt(rnd *rand.Rand) string {
	return strconv.FormatInt(int64(rnd.Uint64())>>rnd.IntN(64), 10)
}

func randomScore(rnd *rand.Rand) string {
	switch rnd.IntN(6) {
	case 0:
		return strconv.FormatFloat(rnd.NormFloat64(), 'g', -1, 64)
	case 1:
		return strconv.FormatFloat(rnd.ExpFloat64()*1e300, 'g', -1, 64)
	case 2:
		return []string{"inf", "-inf", "0", "-0", "1e18", "4611686018427387904", "9223372036854775807", "3e20"}[rnd.IntN(8)]
	}
	return randomInt(rnd)
}

// randomString returns a string of any encoding in payloads: integers, short and long strings, compressible ones.
func randomString(rnd *rand.Rand) string {
	switch rnd.IntN(8) {
	case 0, 1:
		return randomInt(rnd)
	case 2:
		return strings.Repeat(string(rune('a'+rnd.IntN(3))), rnd.IntN(300))
	case 3:
		return strings.Repeat(randomLetters(rnd, 1+rnd.IntN(9)), rnd.IntN(20))
	case 4:
		if rnd.IntN(10) == 0 {
			return randomLetters(rnd, rnd.IntN(20000))
		}
	}
	return randomLetters(rnd, rnd.IntN(30))
}

func randomLetters(rnd *rand.Rand, n int) string {
	b := make([]byte, n)
	distinct := 1 + rnd.IntN(255)
	for i := range b {
		b[i] = byte(rnd.IntN(distinct))
	}
	return string(b)
}
