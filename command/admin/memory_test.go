package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestMemory_Usage(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("MEMORY USAGE missing", "nil", "MEMORY USAGE k SAMPLES", "ERR syntax error", "MEMORY USAGE k SAMPLES -1",
		"ERR syntax error",
		"MEMORY USAGE k x 1", "ERR syntax error", "MEMORY USAGE k SAMPLES x",
		"ERR value is not an integer or out of range")
	c.Want("SET small v", "OK", "SET large "+strings.Repeat("x", 100_000), "OK")
	require.Regexp(t, `^1[0-4]\d$`, c.Do("MEMORY USAGE small SAMPLES 0"))
	require.Regexp(t, `^100[12]\d\d$`, c.Do("MEMORY USAGE large"))
	c.Do("RPUSH list " + strings.Repeat("0123456789 ", 10_000))
	require.Regexp(t, `^1[2-3]\d{4}$`, c.Do("MEMORY USAGE list"))
}

func TestMemory_Stats(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("MEMORY DOCTOR", `"There are no keys, and nothing to find fault with.\n"`)
	c.Do("SET k v")
	require.Contains(t, c.Do("MEMORY STATS"), `"keys.count" 1 "keys.bytes-per-key" 1`)
	c.Want("MEMORY DOCTOR", `"Nothing is wrong with the use of memory.\n"`, "CONFIG SET maxmemory 1", "OK")
	require.Contains(t, c.Do("MEMORY DOCTOR"), "more memory than maxmemory allows")
	require.Contains(t, c.Do("MEMORY MALLOC-STATS"), "/memory/classes/heap/objects:bytes")
	c.Want("MEMORY PURGE", "OK", "MEMORY FOO", "ERR unknown subcommand 'FOO'. Try MEMORY HELP.")
	require.Contains(t, c.Do("MEMORY HELP"), "USAGE key [SAMPLES count]")
}

func TestInfo_Memory_IsCounted(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	empty := commandtest.InfoOf(c, "memory")
	require.Contains(t, empty, "\nused_memory_dataset:0\n")
	c.Do("SET k " + strings.Repeat("x", 100_000))
	require.Regexp(t, `\nused_memory:1[01]\d{4}\n`, commandtest.InfoOf(c, "memory"))
	c.Do("FLUSHALL")
	after := commandtest.InfoOf(c, "memory")
	used := func(info string) string { return strings.SplitN(info, "\n", 3)[1] }
	require.Equal(t, used(empty), used(after))
	require.Regexp(t, `\nused_memory_peak:1[01]\d{4}\n`, after)
}

func TestInfo_LazyFreed(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	members := ""
	for i := range 65 {
		members += fmt.Sprintf(" member%d", i)
	}
	c.Do("SADD big" + members)
	c.Want("SADD small a b", "2", "UNLINK big small missing", "2")
	require.Contains(t, commandtest.InfoOf(c, "memory"), "\nlazyfreed_objects:1\n")
	c.Want("MSET a 1 b 2", "OK", "FLUSHALL ASYNC", "OK", "CONFIG RESETSTAT", "OK", "MSET a 1 b 2 c 3", "OK",
		"FLUSHALL ASYNC", "OK")
	require.Contains(t, commandtest.InfoOf(c, "memory"), "\nlazyfreed_objects:3\n")
}

func TestInfo_Lookups(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("SET a 1", "OK", "GET a", `"1"`, "GET b", "nil", "MGET a a b", `["1" "1" nil]`)
	require.Contains(t, commandtest.InfoOf(c, "stats"), "\nkeyspace_hits:3\nkeyspace_misses:2\n")
	c.Do("CONFIG RESETSTAT")
	require.Contains(t, commandtest.InfoOf(c, "stats"), "\nkeyspace_hits:0\nkeyspace_misses:0\n")
}
