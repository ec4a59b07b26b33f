package data_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/require"
)

// restoreAs runs RESTORE key 0 with a value from an RDB file.
func restoreAs(c *commandtest.Client, key, payload string, options ...string) string {
	args := [][]byte{[]byte("RESTORE"), []byte(key), []byte("0"), rdb.Seal([]byte(payload), rdb.Redis70)}
	for _, o := range options {
		args = append(args, []byte(o))
	}
	return c.DoArgs(args...)
}

// The nodes of a list are as large as list-max-listpack-size says.
func TestDump_ListNodeSize(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	commandtest.NewClient(t, env).Want("CONFIG SET list-max-listpack-size 2", "OK", "RPUSH k a b c", "3",
		"DUMP k",
		`"\x12\x02\x02\r\r\x00\x00\x00\x02\x00\x81a\x02\x81b\x02\xff\x02\n\n\x00\x00\x00\x01\x00\x81c\x02\xff\n`+
			`\x00\xa6\x01\x92\xa8\xf76\xb5\xc0"`)
}

func TestDump_KnownPayloads(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	for line, want := range map[string]string{ // the replies of redis-server 7.0.15
		"SET k 1":           "\x00\xc0\x01\n\x00&x\xe7\xb6\xd1\x01\x11\xfc",
		"SET k abc":         "\x00\x03abc\n\x00",
		"RPUSH k a":         "\x12\x01\x02\n\n\x00\x00\x00\x01\x00\x81a\x02\xff\n\x00",
		"SADD k 1 2":        "\x0b\x0c\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x02\x00\n\x00",
		"ZADD k 1.5 a":      "\x11\x0f\x0f\x00\x00\x00\x02\x00\x81a\x02\x831.5\x04\xff\n\x00",
		"HSET k f v":        "\x10\r\r\x00\x00\x00\x02\x00\x81f\x02\x81v\x02\xff\n\x00",
		"APPEND missing 1":  "",
		"SADD k a":          "\x02\x01\x01a\n\x00",
		"ZADD k -inf a 2 b": "\x11\x15\x15\x00\x00\x00\x04\x00\x81a\x02\x84-inf\x05\x81b\x02\x02\x01\xff\n\x00",
	} {
		c.Do("FLUSHALL")
		c.Do(line)
		if want == "" {
			require.Equal(t, "nil", c.Do("DUMP k"))
			continue
		}
		require.True(t, strings.HasPrefix(c.Do("DUMP k"), strings.TrimSuffix(strconv.Quote(want), `"`)), "%s: %s", line,
			c.Do("DUMP k"))
	}
}

func TestRestore_IdleTimeAndFreq(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	require.Equal(t, "OK", restoreAs(c, "k", "\x00\x03abc", "IDLETIME", "1000"))
	c.Want("OBJECT IDLETIME k", "1000")
	require.Equal(t, "OK", restoreAs(c, "k", "\x00\x03abc", "REPLACE", "FREQ", "100"))
	c.Want("OBJECT IDLETIME k", "0", "CONFIG SET maxmemory-policy allkeys-lfu", "OK")
	require.Equal(t, "OK", restoreAs(c, "k", "\x00\x03abc", "REPLACE", "FREQ", "100"))
	c.Want("OBJECT FREQ k", "100")
}

// redis-server 7.0.15 checks how many elements such a payload has, not how long they are.
func TestRestore_KeepsListpackWithLongElements(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Do("CONFIG SET hash-max-listpack-value 1 zset-max-listpack-value 1")
	require.Equal(t, "OK", restoreAs(c, "h", "\x10\x0e\x0e\x00\x00\x00\x02\x00\x82ff\x03\x81v\x02\xff"))
	c.Want("HGETALL h", `["ff" "v"]`, "OBJECT ENCODING h", `"listpack"`, "HSET h gg v", "1", "OBJECT ENCODING h",
		`"hashtable"`)
}

func TestRestore_OldEncodings(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	for i, payload := range oldPayloads {
		require.Equal(t, "OK", restoreAs(c, "k"+strconv.Itoa(i), payload), "%q", payload)
	}
	c.Want(
		"LRANGE k0 0 -1", `["a" "5"]`,
		"HGETALL k1", `["f" "v"]`,
		"HGETALL k2", `["f" "v" "g" "w"]`,
		"LRANGE k3 0 -1", `["a" "0" "1"]`,
		"ZRANGE k4 0 -1 WITHSCORES", `["a" "-100"]`,
		"HGETALL k5", `["f" "8"]`,
		"LRANGE k6 0 -1", `["a"]`,
		"ZRANGE k7 0 -1 WITHSCORES", `["a" "1.5" "b" "inf"]`,
		"XINFO STREAM k8", `["length" 0 "radix-tree-keys" 0 "radix-tree-nodes" 1 "last-generated-id" "5-1" `+
			`"max-deleted-entry-id" "0-0" "entries-added" 0 "recorded-first-entry-id" "0-0" "groups" 0 `+
			`"first-entry" nil "last-entry" nil]`,
	)
}

// RESTORE rejects payloads that are damaged, empty, have duplicates, or claim more than they contain. It changes
// empty collections then.
func TestRestore_BadPayloads(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Do("SET k v")
	for _, payload := range []string{
		"", "\x06", "\x08", "\x14", "\xff", // unknown types
		// strings
		"\x00", "\x00\x0eabc", "\x00\x81\xff\xff\xff\xff\xff\xff\xff\xff", "\x00\xc3\x05\x0aabcde",
		"\x00\xc3\x01\x80\xff\xff\xff\xff\x00",
		"\x02\x00", "\x04\x00", "\x05\x00", "\x12\x00", "\x0b\x08\x02\x00\x00\x00\x00\x00\x00\x00", // empty collections
		// duplicates
		"\x02\x02\x01a\x01a", "\x04\x02\x01a\x01b\x01a\x01b",
		"\x0b\x0c\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x01\x00",
		"\x02\x80\x7f\xff\xff\xff\x01a", "\x04\x02\x01a\x01b", // more elements than the payload has
		// invalid scores
		"\x05\x01\x01a\x00\x00\x00\x00\x00\x00\xf8\x7f", "\x03\x01\x01a\xfd",
		"\x11\x0f\x0f\x00\x00\x00\x02\x00\x81a\x02\x831.x\x04\xff",
		// wrong numbers of elements
		"\x10\x0a\x0a\x00\x00\x00\x01\x00\x81f\x02\xff", "\x10\x0d\x0d\x00\x00\x00\x03\x00\x81f\x02\x81v\x02\xff",
		// wrong sizes
		"\x10\x0d\x0d\x00\x00\x00\x02\x00\x81f\x02\x81v\x03\xff",
		"\x10\x0d\x0c\x00\x00\x00\x02\x00\x81f\x02\x81v\x02\xff",
	} {
		require.Equal(t, "ERR Bad data format", restoreAs(c, "k", payload, "REPLACE"), "%q", payload)
	}
	c.Want("GET k", `"v"`)
	for _, payload := range []string{"", "short", string(rdb.Seal([]byte("\x00\x01v"), rdb.Redis70))[2:]} {
		require.Equal(t, "ERR DUMP payload version or checksum are wrong", c.DoArgs([]byte("RESTORE"), []byte("n"),
			[]byte("0"), []byte(payload)))
	}
}

func TestRestore_Expiry(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	payload := rdb.Seal([]byte("\x00\x01v"), rdb.Redis70)
	restore := func(ttl string, options ...string) string {
		args := [][]byte{[]byte("RESTORE"), []byte("k"), []byte(ttl), payload, []byte("REPLACE")}
		for _, o := range options {
			args = append(args, []byte(o))
		}
		return c.DoArgs(args...)
	}
	require.Equal(t, "OK", restore("5000"))
	clock.Advance(5 * time.Second)
	c.Want("EXISTS k", "0")
	require.Equal(t, "OK", restore("9999999999999", "ABSTTL"))
	c.Want("PEXPIRETIME k", "9999999999999")
	require.Equal(t, "OK", restore("1", "ABSTTL")) // has passed: the old value is deleted, the new one not stored
	c.Want("EXISTS k", "0")
}

func TestRestore_SkipsTheChecksumIfDisabled(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("DEBUG SET-SKIP-CHECKSUM-VALIDATION 1", "OK")
	payload := rdb.Seal([]byte("\x00\x01v"), rdb.Redis70)
	payload[len(payload)-1]++
	require.Equal(t, "OK", c.DoArgs([]byte("RESTORE"), []byte("k"), []byte("0"), payload))
	c.Want("DEBUG SET-SKIP-CHECKSUM-VALIDATION 0", "OK")
	require.Equal(t, "ERR DUMP payload version or checksum are wrong", c.DoArgs([]byte("RESTORE"), []byte("n"),
		[]byte("0"), payload))
}
