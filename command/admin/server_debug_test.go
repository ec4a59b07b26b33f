package admin_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// seedTypes makes a key of every type.
func seedTypes(c *commandtest.Client) {
	for _, line := range []string{"SET string v", "RPUSH list a b c", "SADD set a b", "SADD ints 1 2 3",
		"HSET hash f v g w",
		"ZADD zset 1 a 2.5 b", "XADD stream 1-1 f v", "XGROUP CREATE stream g 0",
		"XREADGROUP GROUP g c STREAMS stream >", "PEXPIREAT string 9999999999999"} {
		c.Do(line)
	}
}

// The digests are those of redis-server 7.0.15 for the same data.
func TestDebug_Digest(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want(
		"DEBUG DIGEST", strings.Repeat("0", 40),
		"SET a 1", "OK",
		"DEBUG DIGEST", "943d800368fb9c0e951138f1bc0e313ac769d91f",
		"DEBUG DIGEST-VALUE a b", "[b4fc66738120fba0b5aa500ab5c2bf89cea1c5da "+strings.Repeat("0", 40)+"]",
		"DEBUG DIGEST-VALUE", "[]",
	)
	before := c.Do("DEBUG DIGEST")
	c.Do("APPEND a 2")
	require.NotEqual(t, before, c.Do("DEBUG DIGEST"))
	c.Do("SET a 1")
	require.Equal(t, before, c.Do("DEBUG DIGEST"))
	c.Do("SELECT 1")
	c.Do("SET a 1")
	require.NotEqual(t, before, c.Do("DEBUG DIGEST"))
}

// As Redis 8.0 and Valkey 9.1 reply.
func TestDebug_Digest_OfExpiringFields(t *testing.T) {
	for server, want := range map[string]string{"8.0": "355879033a5e790f0e021f3025ccea7312d9d282",
		"valkey-9.1": "d127864ed50239662bf61bafc9bda63c17da5b37"} {
		env := commandtest.NewEnvOf(t, server)
		commandtest.NewClient(t, env).Want(
			"HSET h f v g w", "2",
			"HEXPIRE h 1000 FIELDS 1 f", "[1]",
			"DEBUG DIGEST-VALUE h", "["+want+"]",
		)
	}
}

func TestDebug_Digest_OfSetsHasNoOrder(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Do("SADD s a b c")
	c.Do("HSET h a 1 b 2")
	before := c.Do("DEBUG DIGEST")
	c.Do("DEL s h")
	c.Do("HSET h b 2 a 1")
	c.Do("SADD s c b a")
	require.Equal(t, before, c.Do("DEBUG DIGEST"))
	c.Do("RPUSH l a b")
	before = c.Do("DEBUG DIGEST")
	c.Do("DEL l")
	c.Do("RPUSH l b a")
	require.NotEqual(t, before, c.Do("DEBUG DIGEST"))
}

func TestDebug_Reload_KeepsAllThatClientsSee(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	seedTypes(c)
	c.Want("SELECT 3", "OK", "SET other v PXAT 9999999999998", "OK")
	before := c.Do("DEBUG DIGEST")
	for _, line := range []string{"DEBUG RELOAD", "DEBUG LOADAOF", "DEBUG RELOAD NOSAVE NOFLUSH MERGE"} {
		c.Want(line, "OK", "PEXPIRETIME other", "9999999999998", "DEBUG DIGEST", before)
	}
	c.Want("DEBUG RELOAD FORCE", "ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.", "SELECT 0",
		"OK",
		"XPENDING stream g", `[1 "1-1" "1-1" [["c" "1"]]]`, "PEXPIRETIME string", "9999999999999")
	c.Want("DEBUG SET-ACTIVE-EXPIRE 0", "OK", "SELECT 3", "OK", "PEXPIRE other 1000", "1")
	clock.Advance(time.Second)
	c.Want("DBSIZE", "1", "DEBUG RELOAD", "OK", "DBSIZE", "0")
}

// A reload changes no value, so EXEC of a client that watches a key succeeds.
func TestDebug_Reload_IsNoChange(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c, other := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
	seedTypes(c)
	c.Want("WATCH hash", "OK")
	other.Want("DEBUG RELOAD", "OK")
	c.Want("MULTI", "OK", "PING", "QUEUED", "EXEC", "[PONG]")
}

func TestDebug_SetActiveExpire(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("DEBUG SET-ACTIVE-EXPIRE 0", "OK", "SET k v PX 10", "OK")
	clock.Advance(time.Second)
	env.Store.ExpireDue()
	c.Want("DBSIZE", "1", "GET k", "nil", "DBSIZE", "0", "SET k v PX 10", "OK")
	clock.Advance(time.Second)
	require.Contains(t, c.Do("DEBUG OBJECT k"), "encoding:embstr")
	c.Want("DBSIZE", "1", "DEBUG SET-ACTIVE-EXPIRE 1", "OK")
	env.Store.ExpireDue()
	c.Want("DBSIZE", "0")
}

func TestDebug_Object(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	seedTypes(c)
	for key, want := range map[string]string{
		"list": `^Value at:0x[0-9a-f]+ refcount:1 encoding:quicklist ` +
			`serializedlength:19 lru:\d+ lru_seconds_idle:\d+ ` +
			`ql_nodes:1 ql_avg_node:3.00 ql_listpack_max:-2 ql_compressed:0 ql_uncompressed_size:16$`,
		"string": `^Value at:0x[0-9a-f]+ refcount:1 encoding:embstr serializedlength:2 lru:\d+ lru_seconds_idle:\d+$`,
	} {
		require.Regexp(t, regexp.MustCompile(want), c.Do("DEBUG OBJECT "+key))
	}
	c.Want(
		"DEBUG OBJECT missing", "ERR no such key",
		"DEBUG LISTPACK hash", "Listpack structure printed on stdout",
		"DEBUG LISTPACK list", "ERR Not a listpack encoded object.",
		"DEBUG LISTPACK missing", "ERR no such key",
		"DEBUG QUICKLIST list", "Quicklist structure printed on stdout",
		"DEBUG QUICKLIST list 1", "Quicklist structure printed on stdout",
		"DEBUG QUICKLIST hash", "ERR Not a quicklist encoded object.",
	)
}

// A list that fits one listpack has no nodes of a quicklist since Redis 7.2.
func TestDebug_Object_SmallList(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("RPUSH l a", "1")
	require.NotContains(t, c.Do("DEBUG OBJECT l"), "ql_nodes")
	c.Want(
		"DEBUG LISTPACK l", "Listpack structure printed on stdout",
		"DEBUG QUICKLIST l", "ERR Not a quicklist encoded object.",
		"CONFIG SET list-max-listpack-size 2", "OK",
		"RPUSH l b c", "3",
	)
	require.Contains(t, c.Do("DEBUG OBJECT l"), "ql_nodes:2")
}

func TestDebug_QuicklistPackedThreshold(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	c.Want("DEBUG QUICKLIST-PACKED-THRESHOLD 5b", "OK", "RPUSH l a bbbbb c", "3")
	require.Contains(t, c.Do("DEBUG OBJECT l"), "ql_nodes:3")
	c.Want("DEBUG RELOAD", "OK", "LRANGE l 0 -1", `["a" "bbbbb" "c"]`, "DEBUG QUICKLIST-PACKED-THRESHOLD 0", "OK")
	require.Contains(t, c.Do("DEBUG OBJECT l"), "ql_nodes:1")
	for _, size := range []string{"5gb", "-1", "x"} {
		c.Want("DEBUG QUICKLIST-PACKED-THRESHOLD "+size,
			"ERR argument must be a memory value bigger than 1 and smaller than 4gb")
	}
}

func TestDebug_Tables(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Do("DEBUG POPULATE 1000")
	c.Do("SADD s " + strings.Repeat("x", 100) + " b c")
	c.Do("HSET h f v")
	require.Contains(t, c.Do("DEBUG HTSTATS 0"), `number of elements: 1002\n`)
	require.Contains(t, c.Do("DEBUG HTSTATS 1"), "No stats available for empty dictionaries")
	require.Contains(t, c.Do("DEBUG HTSTATS-KEY s"), `number of elements: 3\n different slots: `)
	c.Want(
		"DEBUG HTSTATS 16", "ERR Out of range database",
		"DEBUG HTSTATS x", "ERR value is not an integer or out of range",
		"DEBUG HTSTATS-KEY h", "ERR The value stored at the specified key is not represented using an hash table",
		"DEBUG HTSTATS-KEY missing", "ERR no such key",
	)
}

func TestDebug_Populate(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"SET key:1 here", "OK",
		"DEBUG POPULATE 3", "OK",
		"MGET key:0 key:1 key:2 key:3", `["value:0" "here" "value:2" nil]`,
		"DEBUG POPULATE 1 p 10", "OK",
		"GET p:0", `"value:0\x00\x00\x00"`,
		"DEBUG POPULATE 1 q 3", "OK",
		"GET q:0", `"val"`,
		"DEBUG POPULATE x", "ERR value is out of range, must be positive",
		"DEBUG POPULATE 1 p x", "ERR value is out of range, must be positive",
	)
}

func TestDebug_Subcommands(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want(
		"DEBUG CHANGE-REPL-ID", "OK",
		"DEBUG PAUSE-CRON 1", "OK",
		"DEBUG ERROR oops", "oops",
		"DEBUG JMAP", "ERR unknown subcommand or wrong number of arguments for 'JMAP'. Try DEBUG HELP.",
		"DEBUG OBJECT", "ERR unknown subcommand or wrong number of arguments for 'OBJECT'. Try DEBUG HELP.",
		"DEBUG OBJECT a b", "ERR unknown subcommand or wrong number of arguments for 'OBJECT'. Try DEBUG HELP.",
		"DEBUG PROTOCOL map", "[0 0 1 1 2 0]",
		"DEBUG PROTOCOL double", `"3.141"`,
		"DEBUG PROTOCOL what", "ERR Wrong protocol type name. Please use one of the following: "+
			"string|integer|double|null|array|set|map|attrib|push|verbatim|true|false",
	)
	require.Contains(t, c.Do("DEBUG HELP"), "RELOAD")
}

// The field lru is the clock of the last use.
func TestDebug_Object_LRU(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	lru := func() string {
		_, text, _ := strings.Cut(c.Do("DEBUG OBJECT k"), " lru:")
		n, _, _ := strings.Cut(text, " ")
		return n
	}
	c.Want("SET k v", "OK")
	before := lru()
	clock.Advance(3 * time.Second)
	require.Equal(t, before, lru())
	c.Want("GET k", `"v"`)
	require.NotEqual(t, before, lru())
}

func TestDebug_Listpack_OfExpiringFields(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("HSET h a 1", "1", "HEXPIRE h 100 FIELDS 1 a", "[1]", "OBJECT ENCODING h", `"listpackex"`,
		"DEBUG LISTPACK h", "Listpack structure printed on stdout")
}

func TestDebug_Object_CompressedLists(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("CONFIG SET list-max-listpack-size 1", "OK", "RPUSH l a b", "2")
	require.Contains(t, c.Do("DEBUG OBJECT l"), " ql_compressed:0 ")
	c.Want("CONFIG SET list-compress-depth 12", "OK")
	require.Contains(t, c.Do("DEBUG OBJECT l"), " ql_compressed:1 ")
}

func TestDebug_SetDisableDenyScripts(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	const denied = "ERR This Redis command is not allowed from script"
	call := func(args string) string { return "EVAL return(redis.call(unpack(ARGV))) 0 " + args }
	require.Contains(t, c.Do(call("DEBUG PROTOCOL integer")), denied)
	c.Want("DEBUG SET-DISABLE-DENY-SCRIPTS 1", "OK", call("DEBUG PROTOCOL integer"), "12345", call("DEBUG RELOAD"), "OK",
		call("CLIENT GETNAME"), "nil")
	for _, line := range []string{"EVAL return(1) 0", "FCALL f 0", "MULTI", "EXEC", "WATCH k", "RESET", "HELLO 3",
		"SUBSCRIBE c", "SHUTDOWN", "SAVE"} {
		require.Contains(t, c.Do(call(line)), denied, line)
	}
	c.Want("DEBUG SET-DISABLE-DENY-SCRIPTS 0", "OK")
	require.Contains(t, c.Do(call("DEBUG PROTOCOL integer")), denied)
}
