package admin_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestServer_Time(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	clock.Advance(1000 * time.Hour)
	before := clock.Now().Unix()
	require.Regexp(t, `^\["\d{10,}" "\d{1,6}"\]$`, c.Do("TIME"))
	seconds, err := strconv.ParseInt(c.Do("TIME")[2:12], 10, 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, before)
	require.LessOrEqual(t, seconds, clock.Now().Unix())
	require.Equal(t, "1", c.DoStrings("EVAL", "local first = redis.call('TIME')[2] for i = 1, 100000 do end "+
		"return redis.call('TIME')[2] == first", "0"))
}

func TestServer_Replication(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"ROLE", `["master" 0 []]`,
		"REPLICAOF no ONE", "OK",
		"SLAVEOF NO ONE", "OK",
		"REPLICAOF host x", "ERR Invalid master port",
		"WAIT 0 0", "0",
		"WAIT 0 100", "0",
		"WAIT -1 0", "0",
		"WAIT x 0", "ERR value is not an integer or out of range",
		"WAIT 0 x", "ERR timeout is not an integer or out of range",
		"WAIT 0 -1", "ERR timeout is negative",
		"WAITAOF 0 0 0", "[0 0]",
		"WAITAOF 0 0 100", "[0 0]",
		"WAITAOF 1 0 0", "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.",
		"WAITAOF 2 0 0", "ERR value is out of range, value must between 0 and 1",
		"WAITAOF 0 -1 0", "ERR value is out of range, must be positive",
		"WAITAOF 0 0 -1", "ERR timeout is negative",
	)
}

func TestServer_NoCluster(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	for _, line := range []string{"READONLY", "READWRITE", "ASKING", "CLUSTER INFO", "CLUSTER NODES",
		"CLUSTER KEYSLOT a", "CLUSTER HELP"} {
		c.Want(line, "ERR This instance has cluster support disabled")
	}
	c.Want("CLUSTER FOO", "ERR unknown subcommand 'FOO'. Try CLUSTER HELP.")
}

func TestServer_Persistence(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	started := c.Do("LASTSAVE")
	require.Equal(t, strconv.FormatInt(env.Started().Unix(), 10), started)
	clock.Advance(time.Minute)
	c.Want(
		"LASTSAVE", started,
		"SAVE", "OK",
		"BGSAVE", "Background saving started",
		"BGSAVE SCHEDULE", "Background saving started",
		"BGSAVE now", "ERR syntax error",
		"MULTI", "OK",
		"SAVE", "ERR Command not allowed inside a transaction",
		"DISCARD", "OK",
	)
	require.NotEqual(t, started, c.Do("LASTSAVE"))
}

func TestServer_Shutdown(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Want(
		"SHUTDOWN FOO", "ERR syntax error",
		"SHUTDOWN SAVE NOSAVE", "ERR syntax error",
		"SHUTDOWN ABORT NOW", "ERR syntax error",
		"SHUTDOWN ABORT", "ERR No shutdown in progress.",
	)
	clients := env.Clients.(*commandtest.FakeClients)
	require.False(t, clients.Shut)
	c.Want("SHUTDOWN NOSAVE NOW", "")
	require.True(t, clients.Shut)
	require.True(t, c.Session.Closing)
}

func TestServer_Debug(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"DEBUG SLEEP 0", "OK",
		"DEBUG SLEEP 0.001", "OK",
		"DEBUG SLEEP x", "OK",
		"DEBUG ERROR MYERR", "MYERR",
		"DEBUG LOG hello", "OK",
		"DEBUG SLEEP", "ERR unknown subcommand or wrong number of arguments for 'SLEEP'. Try DEBUG HELP.",
		"DEBUG FOO", "ERR unknown subcommand or wrong number of arguments for 'FOO'. Try DEBUG HELP.",
		"DEBUG", "ERR wrong number of arguments for 'debug' command",
	)
}

func TestServer_MemoryUsage(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want(
		"MEMORY USAGE h", "nil",
		"MEMORY USAGE h SAMPLES 5", "nil",
		"MEMORY USAGE h SAMPLES", "ERR syntax error",
		"MEMORY USAGE h SAMPLES -1", "ERR syntax error",
		"MEMORY USAGE h SAMPLES x", "ERR value is not an integer or out of range",
		"MEMORY USAGE h FOO", "ERR syntax error",
		"HSET h a 1", "1",
	)
	small, err := strconv.Atoi(c.Do("MEMORY USAGE h"))
	require.NoError(t, err)
	c.Want("HSET h b xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "1")
	large, err := strconv.Atoi(c.Do("MEMORY USAGE h SAMPLES 0"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, large, small+32)
}

func TestServer_Diagnostics(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"LATENCY LATEST", "[]",
		"LATENCY HISTORY command", "[]",
		"LATENCY RESET a b", "0",
		"LATENCY GRAPH command", "ERR No samples available for event 'command'",
		"LOLWUT", `"Redis ver. 8.2.3\n"`,
		"ACL WHOAMI", `"default"`,
		"ACL USERS", `["default"]`,
		"ACL CAT Transaction", `["discard" "exec" "multi" "unwatch" "watch"]`,
		"ACL CAT nosuch", "ERR Unknown category 'nosuch'",
		"ACL CAT a b", "ERR unknown subcommand or wrong number of arguments for 'CAT'. Try ACL HELP.",
		"ACL CAT", `["keyspace" "read" "write" "set" "sortedset" "list" "hash" "string" "bitmap" "hyperloglog" "geo" `+
			`"stream" "pubsub" `+
			`"admin" "fast" "slow" "blocking" "dangerous" "connection" "transaction" "scripting"]`,
		"SLOWLOG HELP", `[SLOWLOG <subcommand> [<arg> [value] [opt] ...]. Subcommands are: GET [count]     Shows the `+
			`latest slow calls. `+
			`HELP     Lists the subcommands. LEN     Counts the slow calls that are kept. RESET     Forgets the slow `+
			`calls.]`,
	)
}

func TestExtendedRedisCompatibility(t *testing.T) {
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, "valkey-9.1"))
	c.Want(
		"LOLWUT", `"Valkey ver. 9.1.2\n"`,
		"CONFIG SET extended-redis-compatibility yes", "OK",
		"LOLWUT", `"Redis ver. 7.2.4\n"`,
	)
	require.Contains(t, c.Do("HELLO"), `["server" "redis" "version" "7.2.4" `)
	info := commandtest.InfoOf(c, "server")
	require.Contains(t, info, "redis_mode:standalone")
	require.NotContains(t, info, "server_mode:")
}
