package admin_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestConfig_Get(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	env.Config.SetFixed("port", "7000")
	c := commandtest.NewClient(t, env)
	c.Want(
		"CONFIG GET port", `["port" "7000"]`,
		"CONFIG GET PORT", `["PORT" "7000"]`,
		"CONFIG GET nosuch", "[]",
		"CONFIG GET maxmem* port maxmemory", `["maxmemory" "0" "maxmemory-clients" "0" `+
			`"maxmemory-eviction-tenacity" "10" "maxmemory-policy" "noeviction" "maxmemory-samples" "5" "port" "7000"]`,
		"CONFIG GET HASH-max-*-entries", `["hash-max-listpack-entries" "512" "hash-max-ziplist-entries" "512"]`,
		"CONFIG GET lua-time-limit busy-reply-threshold", `["lua-time-limit" "5000" "busy-reply-threshold" "5000"]`,
		"CONFIG GET", "ERR wrong number of arguments for 'config|get' command",
	)
	require.NotContains(t, env.Config.Match([]string{"*"}), "key-load-delay", "it is hidden")
	c.Want("CONFIG GET key-load-delay", `["key-load-delay" "0"]`)
	c.Do("HELLO 3")
	c.Want("CONFIG GET port", `["port" "7000"]`)
	require.Equal(t, "%1\r\n$4\r\nport\r\n$4\r\n7000\r\n", string(c.Session.Out))
}

func TestConfig_Set(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"CONFIG SET maxclients 100 hash-max-ziplist-value 1kb", "OK",
		"CONFIG GET maxclients hash-max-listpack-value", `["maxclients" "100" "hash-max-listpack-value" "1024"]`,
		"CONFIG SET notify-keyspace-events KEA", "OK",
		"CONFIG GET notify-keyspace-events", `["notify-keyspace-events" "AKE"]`,
		"CONFIG SET appendonly NO save '' maxmemory 0mb maxmemory-policy NOEVICTION timeout 0", "OK",
		"CONFIG SET hash-max-listpack-entries 5 hash-max-ziplist-entries 6", "OK",
		"CONFIG GET hash-max-listpack-entries", `["hash-max-listpack-entries" "6"]`,
	)
	require.Equal(t, int64(100), env.Config.MaxClients())
}

func TestConfig_Set_AllOrNothing(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	for _, line := range []string{"nosuch 1", "maxclients 101", "databases 4", "slowlog-max-len x", "appendonly yes"} {
		require.Contains(t, c.Do("CONFIG SET maxclients 100 "+line), "ERR ", line)
		c.Want("CONFIG GET maxclients", `["maxclients" "10000"]`)
	}
}

func TestConfig_Set_Errors(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	for setting, message := range map[string]string{
		"maxclients abc":                        "argument couldn't be parsed into an integer",
		"maxclients 0":                          "argument must be between 1 and 4294967295 inclusive",
		"timeout -1":                            "argument must be between 0 and 2147483647 inclusive",
		"slowlog-log-slower-than -2":            "argument must be between -1 and 9223372036854775807 inclusive",
		"maxmemory 1%":                          "argument must be a memory value",
		"hash-max-listpack-value 99999999999gb": "argument must be greater or equal to 0",
		"maxmemory-clients 100mb": "minilockd does not close clients because of the memory that they " +
			"take",
		"tls-port 1":             "minilockd listens where it did when it started",
		"bind 0.0.0.0":           "minilockd listens where it did when it started",
		"maxmemory-clients 101%": "percentage argument must be less or equal to 100",
		"maxmemory-clients x%":   "argument must be a memory or percent value",
		"maxmemory-samples 0":    "argument must be between 1 and 64 inclusive",
		"appendonly maybe":       "argument must be 'yes' or 'no'",
		"appendonly yes":         "minilockd keeps no files: there is no append only file",
		"maxmemory-policy none": "argument(s) must be one of the following: volatile-lru, volatile-lfu, " +
			"volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, noeviction",
		"notify-keyspace-events KEQ":    "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.",
		"proto-max-bulk-len 100":        "argument must be between 1048576 and 9223372036854775807 inclusive",
		"databases 16":                  "can't set immutable config",
		"maxclients 100 maxclients 200": "duplicate parameter",
	} {
		name, _, _ := strings.Cut(setting, " ")
		want := "ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + message
		require.Equal(t, want, c.Do("CONFIG SET "+setting))
	}
	c.Want(
		"CONFIG SET nosuch 1", "ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'",
		"CONFIG SET maxclients 1 port", "ERR syntax error",
		"CONFIG SET maxclients", "ERR wrong number of arguments for 'config|set' command",
		"CONFIG REWRITE", "ERR The server is running without a config file",
	)
}

func TestConfig_OutputLimits(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	set := func(value string) string {
		reply := c.DoArgs([]byte("CONFIG"), []byte("SET"), []byte("client-output-buffer-limit"), []byte(value))
		return strings.TrimPrefix(reply,
			"ERR CONFIG SET failed (possibly related to argument 'client-output-buffer-limit') - ")
	}
	const initial = "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"
	c.Want("CONFIG GET client-output-buffer-limit", `["client-output-buffer-limit" "`+initial+`"]`)
	for value, message := range map[string]string{
		"normal 1 2":     "Wrong number of arguments in buffer limit configuration.",
		"normal 0 0 0 ":  "Wrong number of arguments in buffer limit configuration.",
		"foo 1 2 3":      "Invalid client class specified in buffer limit configuration.",
		"master 0 0 0":   "Invalid client class specified in buffer limit configuration.",
		"normal -1 0 0":  "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
		"normal 1zb 0 0": "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
		"normal 0 0 -1":  "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
		"normal 0 0 x":   "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
		"normal 0 0 0 pubsub 0 0 2147483648": "Error in hard, soft or soft_seconds setting in buffer limit " +
			"configuration.",
	} {
		require.Equal(t, message, set(value), value)
	}
	for _, step := range [][2]string{
		{"", initial},
		{"pubsub 100 0 0", "normal 0 0 0 slave 268435456 67108864 60 pubsub 100 0 0"},
		{"NORMAL 1mb 2mb 3 Replica 1 2 3", "normal 1048576 2097152 3 slave 1 2 3 pubsub 100 0 0"},
		{"normal 1 2 3 normal 4 5 6", "normal 4 5 6 slave 1 2 3 pubsub 100 0 0"},
		{"pubsub 10000000000000000000000 0 99999999999",
			"normal 4 5 6 slave 1 2 3 pubsub 18446744073709551615 0 1215752191"},
	} {
		require.Equal(t, "OK", set(step[0]))
		c.Want("CONFIG GET client-output-buffer-limit", `["client-output-buffer-limit" "`+step[1]+`"]`)
	}
}

func TestConfig_MaxBulkBoundsStrings(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"CONFIG SET proto-max-bulk-len 1mb", "OK",
		"SETRANGE k 1048576 x", "ERR string exceeds maximum allowed size (proto-max-bulk-len)",
		"SETRANGE k 1048575 x", "1048576",
		"APPEND k x", "ERR string exceeds maximum allowed size (proto-max-bulk-len)",
		"SETBIT b 8388608 1", "ERR bit offset is not an integer or out of range",
		"SETBIT b 8388607 1", "0",
		"BITFIELD b GET u8 8388608", "ERR bit offset is not an integer or out of range",
		"BITFIELD b SET u8 8388600 2", "[1]",
		"CONFIG SET proto-max-bulk-len 1gb", "OK",
		"SETBIT b 16777216 1", "0",
		"GETBIT b 4294967296", "0",
	)
}

func TestConfig_ConcurrentUse(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			c := commandtest.NewClient(t, env)
			for range 50 {
				c.Do("CONFIG SET maxclients 100 slowlog-max-len 5 notify-keyspace-events KEA")
				c.Do("CONFIG GET *")
				c.Do("HSET h a 1")
			}
		})
	}
	all.Wait()
	require.Equal(t, int64(100), env.Config.MaxClients())
}

// The password that requirepass has already does not undo what ACL SETUSER has done to the user since.
func TestConfig_TheSamePassword(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("CONFIG SET requirepass q", "OK", "ACL SETUSER default nopass", "OK",
		"CONFIG SET requirepass q", "OK", "AUTH default other", "OK", "CONFIG SET requirepass r", "OK",
		"AUTH default other", "WRONGPASS invalid username-password pair or user is disabled.")
}
