package compat

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dumpedValues is how many random values the servers exchange.
const dumpedValues = 3000

// Both servers are given the same values. Each must take the other's payloads, come to the same data, and where the order of
// elements is told by them or by the commands the payloads must be the same to the byte.
func TestDump_BothServersWriteAndReadTheSamePayloads(t *testing.T) {
	total := dumpedValues
	if testing.Short() {
		total = 300
	}
	a := arena{t, startReference(t), startTarget(t)}
	ref, ours := a.enter(a.ref), a.enter(a.ours)
	rnd := rand.New(rand.NewPCG(*randomSeed, 0))
	const batch = 100 // keys at a time
	for from := 0; from < total; from += batch {
		var commands [][]string
		for i := range batch {
			commands = append(commands, randomValue(rnd, "k"+strconv.Itoa(i))...)
		}
		require.Empty(t, exchangeDumps(a, ref, ours, commands, batch), "seed %d, from value %d", *randomSeed, from)
	}
}

// exchangeDumps runs the commands on both, exchanges dumps of the keys k0, k1 … and tells what differs.
func exchangeDumps(a arena, ref, ours *rawClient, commands [][]string, keys int) string {
	var trouble strings.Builder
	both := func(commands [][]string) (one, other []reply) {
		one, err := ref.pipeline(commands)
		require.NoError(a.t, err)
		other, err = ours.pipeline(commands)
		require.NoError(a.t, err)
		return one, other
	}
	both([][]string{{"FLUSHALL"}})
	both(commands)
	encodings, _ := both(eachKey(keys, "OBJECT", "ENCODING"))
	theirs, own := both(eachKey(keys, "DUMP"))
	for i := range keys {
		if encodings[i].text != "hashtable" && theirs[i].text != own[i].text {
			fmt.Fprintf(&trouble, "\n%s of k%d, %s", encodings[i].text, i, differentBytes(theirs[i].text, own[i].text))
		}
		answers := []string{
			ref.do(a.t, "RESTORE", "r"+strconv.Itoa(i), "0", own[i].text).String(),
			ours.do(a.t, "RESTORE", "r"+strconv.Itoa(i), "0", theirs[i].text).String(),
		}
		if answers[0] != "+OK" || answers[1] != "+OK" {
			fmt.Fprintf(&trouble, "\n%s of k%d: redis says %s, we say %s", encodings[i].text, i, answers[0], answers[1])
		}
	}
	trouble.WriteString(differentKeys(keyspace(a.t, ref), keyspace(a.t, ours)))
	return trouble.String()
}

// differentBytes shows two payloads from shortly before they differ.
func differentBytes(one, other string) string {
	at := 0
	for at < min(len(one), len(other)) && one[at] == other[at] {
		at++
	}
	from := max(0, at-20)
	return fmt.Sprintf("from byte %d of %d and %d:\n  redis: %.99q\n   ours: %.99q", from, len(one), len(other), one[from:], other[from:])
}

// eachKey is a command for each of the keys k0, k1 …
func eachKey(keys int, words ...string) (commands [][]string) {
	for i := range keys {
		commands = append(commands, append(append([]string{}, words...), "k"+strconv.Itoa(i)))
	}
	return commands
}

// randomValue makes the commands that store a random value of a random type.
func randomValue(rnd *rand.Rand, key string) [][]string {
	size := 1 + rnd.IntN(12)
	if rnd.IntN(10) == 0 {
		size = 1 + rnd.IntN(700)
	}
	switch kind := rnd.IntN(6); kind {
	case 0:
		return [][]string{{"SET", key, randomText(rnd)}}
	case 1:
		return [][]string{append([]string{"RPUSH", key}, randomTexts(rnd, size)...)}
	case 2:
		return [][]string{append([]string{"SADD", key}, randomTexts(rnd, size)...)}
	case 3:
		args := []string{"HSET", key}
		for range size {
			args = append(args, randomText(rnd), randomText(rnd))
		}
		return [][]string{args}
	case 4:
		args := []string{"ZADD", key}
		for range size {
			args = append(args, randomScore(rnd), randomText(rnd))
		}
		return [][]string{args}
	default:
		return randomStream(rnd, key, size)
	}
}

func randomStream(rnd *rand.Rand, key string, size int) (commands [][]string) {
	id, fields := rnd.Uint64N(1000), randomTexts(rnd, 1+rnd.IntN(4))
	for range size {
		args := []string{"XADD", key, strconv.FormatUint(id, 10) + "-" + strconv.Itoa(1+rnd.IntN(300))}
		if rnd.IntN(8) == 0 {
			fields = randomTexts(rnd, 1+rnd.IntN(4))
		}
		for _, f := range fields {
			args = append(args, f, randomText(rnd))
		}
		commands = append(commands, args)
		id += rnd.Uint64N(1 << (3 + rnd.IntN(30)))
	}
	return commands
}

func randomTexts(rnd *rand.Rand, n int) []string {
	texts := make([]string, n)
	ints := rnd.IntN(3) == 0
	for i := range texts {
		if texts[i] = randomText(rnd); ints {
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

// randomText is a word of any kind that payloads know: integers, short and long texts, with and without repetitions.
func randomText(rnd *rand.Rand) string {
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
	few := 1 + rnd.IntN(255)
	for i := range b {
		b[i] = byte(rnd.IntN(few))
	}
	return string(b)
}
