package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemory_Usage(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("MEMORY USAGE missing", "nil", "MEMORY USAGE k SAMPLES", "ERR syntax error", "MEMORY USAGE k SAMPLES -1", "ERR syntax error",
		"MEMORY USAGE k x 1", "ERR syntax error", "MEMORY USAGE k SAMPLES x", "ERR value is not an integer or out of range")
	c.want("SET small v", "OK", "SET large "+strings.Repeat("x", 100_000), "OK")
	require.Regexp(t, `^1[0-4]\d$`, c.do("MEMORY USAGE small SAMPLES 0"))
	require.Regexp(t, `^100[12]\d\d$`, c.do("MEMORY USAGE large"))
	c.do("RPUSH list " + strings.Repeat("0123456789 ", 10_000))
	require.Regexp(t, `^1[2-3]\d{4}$`, c.do("MEMORY USAGE list"))
}

func TestMemory_Stats(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("MEMORY DOCTOR", `"There are no keys, and nothing to find fault with.\n"`)
	c.do("SET k v")
	require.Contains(t, c.do("MEMORY STATS"), `"keys.count" 1 "keys.bytes-per-key" 1`)
	c.want("MEMORY DOCTOR", `"Nothing is wrong with the use of memory.\n"`, "CONFIG SET maxmemory 1", "OK")
	require.Contains(t, c.do("MEMORY DOCTOR"), "more memory than maxmemory allows")
	require.Contains(t, c.do("MEMORY MALLOC-STATS"), "/memory/classes/heap/objects:bytes")
	c.want("MEMORY PURGE", "OK", "MEMORY FOO", "ERR unknown subcommand 'FOO'. Try MEMORY HELP.")
	require.Contains(t, c.do("MEMORY HELP"), "USAGE key [SAMPLES count]")
}

func TestInfo_Memory_IsCounted(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	empty := infoOf(c, "memory")
	require.Contains(t, empty, "\nused_memory_dataset:0\n")
	c.do("SET k " + strings.Repeat("x", 100_000))
	require.Regexp(t, `\nused_memory:1[01]\d{4}\n`, infoOf(c, "memory"))
	c.do("FLUSHALL")
	after := infoOf(c, "memory")
	used := func(info string) string { return strings.SplitN(info, "\n", 3)[1] }
	require.Equal(t, used(empty), used(after))
	require.Regexp(t, `\nused_memory_peak:1[01]\d{4}\n`, after)
}

func TestInfo_LazyFreed(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	members := ""
	for i := range 65 {
		members += fmt.Sprintf(" member%d", i)
	}
	c.do("SADD big" + members)
	c.want("SADD small a b", "2", "UNLINK big small missing", "2")
	require.Contains(t, infoOf(c, "memory"), "\nlazyfreed_objects:1\n")
	c.want("MSET a 1 b 2", "OK", "FLUSHALL ASYNC", "OK", "CONFIG RESETSTAT", "OK", "MSET a 1 b 2 c 3", "OK", "FLUSHALL ASYNC", "OK")
	require.Contains(t, infoOf(c, "memory"), "\nlazyfreed_objects:3\n")
}

func TestInfo_Lookups(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("SET a 1", "OK", "GET a", `"1"`, "GET b", "nil", "MGET a a b", `["1" "1" nil]`)
	require.Contains(t, infoOf(c, "stats"), "\nkeyspace_hits:3\nkeyspace_misses:2\n")
	c.do("CONFIG RESETSTAT")
	require.Contains(t, infoOf(c, "stats"), "\nkeyspace_hits:0\nkeyspace_misses:0\n")
}
