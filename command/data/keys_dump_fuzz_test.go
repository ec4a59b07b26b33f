package data_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/require"
)

// restoreSeeds are commands that create a value of each encoding under the key k.
var restoreSeeds = []string{
	"SET k 12", "SET k -70000", "SET k aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "SET k abc",
	"RPUSH k a 1 -5000 70000 9999999999 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"SADD k 1 2 300 70000", "SADD k 9999999999 -1", "SADD k a b 1",
	"HSET k a 1 b 2 c x",
	"HSET k a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b c",
	"ZADD k 1 a 1.5 b inf c",
	"ZADD k -0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1e300 b",
	"XADD k 1-1 a b c d", "XGROUP CREATE k g $ MKSTREAM",
	"XADD k 1-1 a b; XADD k 2-1 a c; XADD k 3-1 d e f g; XDEL k 2-1; XGROUP CREATE k g 0; XREADGROUP GROUP g c " +
		"COUNT 1 STREAMS k >; " +
		"XREADGROUP GROUP g d STREAMS k >; XGROUP CREATE k h 1-1",
}

// oldPayloads are values in encodings that only older versions write: a list, a zipmap, a ziplist of each type and a
// quicklist of them, a sorted set with scores as text, and a stream without the fields of Redis 7.0.
var oldPayloads = []string{
	"\x01\x02\x01a\xc0\x05",
	"\x09\x0b\x01\x01f\x01\x04v????\xff", "\x09\x0d\x02\x01f\x01\x00v\x01g\x01\x01w?\xff",
	"\x0a\x12\x12\x00\x00\x00\x0f\x00\x00\x00\x03\x00\x00\x01a\x03\xf1\x02\xf2\xff",
	"\x0c\x11\x11\x00\x00\x00\x0d\x00\x00\x00\x02\x00\x00\x01a\x03\xfe\x9c\xff",
	"\x0d\x10\x10\x00\x00\x00\x0d\x00\x00\x00\x02\x00\x00\x01f\x03\xf9\xff",
	"\x0e\x01\x0e\x0e\x00\x00\x00\x0a\x00\x00\x00\x01\x00\x00\x01a\xff",
	"\x03\x02\x01a\x031.5\x01b\xfe",
	"\x0f\x00\x00\x05\x01\x00",
}

// dumpPayload returns what DUMP k replies, without its version and checksum.
func dumpPayload(c *commandtest.Client) []byte {
	text, err := strconv.Unquote(c.Do("DUMP k"))
	require.NoError(c.T, err)
	payload, _, err := rdb.Open([]byte(text), rdb.Redis74, 0)
	require.NoError(c.T, err)
	return payload
}

// RESTORE rejects or accepts any payload, but it never panics or allocates more than the payload can hold. What it
// accepts can go through DUMP and RESTORE again, to the same value.
func FuzzRestore(f *testing.F) {
	for _, lines := range restoreSeeds {
		env, _ := commandtest.NewEnv(f)
		c := commandtest.NewClient(f, env)
		for line := range strings.SplitSeq(lines, "; ") {
			c.Do(line)
		}
		f.Add(dumpPayload(c))
	}
	for _, old := range oldPayloads {
		f.Add([]byte(old))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		env, _ := commandtest.NewEnv(t)
		c := commandtest.NewClient(t, env)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		reply := c.DoArgs([]byte("RESTORE"), []byte("k"), []byte("0"), rdb.Seal(append([]byte(nil), payload...), rdb.Redis74))
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20+10_000*len(payload)))
		if reply != "OK" {
			require.Equal(t, "ERR Bad data format", reply)
			return
		}
		digest := c.Do("DEBUG DIGEST-VALUE k")
		require.Equal(t, "OK", c.DoArgs([]byte("RESTORE"), []byte("k"), []byte("0"), rdb.Seal(dumpPayload(c), rdb.Redis74),
			[]byte("REPLACE")))
		require.Equal(t, digest, c.Do("DEBUG DIGEST-VALUE k"))
	})
}
