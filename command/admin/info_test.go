package admin_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// titles are the names of the sections in the text.
func titles(info string) string {
	var names []string
	for _, line := range strings.Split(info, "\n") {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func TestInfo_Sections(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	const standard = "Server Clients Memory Persistence Threads Stats Replication CPU Modules Errorstats Cluster " +
		"Keyspace Keysizes"
	for asked, want := range map[string]string{
		"":        standard,
		"default": standard,
		"ALL": "Server Clients Memory Persistence Threads Stats Replication CPU Modules Commandstats " +
			"Errorstats Latencystats Cluster Keyspace Keysizes",
		"everything": "Server Clients Memory Persistence Threads Stats Replication CPU Modules Commandstats " +
			"Errorstats Latencystats Cluster Keyspace Keysizes",
		"default commandstats": "Server Clients Memory Persistence Threads Stats Replication CPU Modules Commandstats " +
			"Errorstats Cluster Keyspace Keysizes",
		"keyspace Cluster": "Cluster Keyspace",
		"nosuch stats":     "Stats",
		"nosuch":           "",
	} {
		require.Equal(t, want, titles(commandtest.InfoOf(c, asked)), asked)
	}
	require.Equal(t, `"# Cluster\r\ncluster_enabled:0\r\n\r\n# Keyspace\r\n"`, c.Do("INFO keyspace cluster"))
	require.Equal(t, `""`, c.Do("INFO nosuch"))
	c.Do("HELLO 3")
	c.Do("INFO cluster")
	require.Equal(t, "=34\r\ntxt:# Cluster\r\ncluster_enabled:0\r\n\r\n", string(c.Session.Out))
}

func TestInfo_WhatClientsLookFor(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	env.Port = 7000
	clients := commandtest.Connect(t, env, 2)
	clock.Advance(25 * time.Hour)
	info := commandtest.InfoOf(clients[0], "")
	for _, line := range []string{"redis_version:8.2.3", "redis_mode:standalone", "tcp_port:7000", "run_id:" +
		env.RunID(),
		"uptime_in_days:1", "connected_clients:2", "maxclients:10000", "maxmemory_policy:noeviction", "loading:0",
		"aof_enabled:0",
		"role:master", "connected_slaves:0", "cluster_enabled:0"} {
		require.Contains(t, info, "\n"+line+"\n")
	}
	require.Regexp(t, `\nminilockd_version:\S+\n`, info)
	require.Regexp(t, `\nused_memory:[1-9]\d+\nused_memory_human:[\d.]+[KMG]\n`, info)
	require.Regexp(t, `\nprocess_id:[1-9]\d*\n`, info)
}

func TestInfo_Keyspace(t *testing.T) {
	for server, fields := range map[string]string{
		"7.2": "", "7.4": ",subexpiry=%d", "valkey-8.1": "", "valkey-9.1": ",keys_with_volatile_items=%d",
	} {
		c := commandtest.Connect(t, commandtest.NewEnvOf(t, server), 1)[0]
		c.Want("HSET a f v", "1", "HSET b f v", "1", "SELECT 7", "OK", "HSET c f v", "1", "HSET d f v", "1",
			"PEXPIRE d 5000", "1")
		hashes := 0
		if fields != "" {
			hashes = 1
			c.Want("HEXPIRE c 100 FIELDS 2 f missing", "[1 -2]", "HEXPIRE d 0 FIELDS 1 missing", "[-2]",
				"HSET d g v", "1", "HEXPIRE d 0 FIELDS 1 g", "[2]")
			require.Regexp(t, `\nexpired_(subkeys|fields):1\n`, commandtest.InfoOf(c, "stats"))
		}
		line := func(hashes int) string { return strings.ReplaceAll(fields, "%d", strconv.Itoa(hashes)) }
		require.Regexp(t, `^# Keyspace\ndb0:keys=2,expires=0,avg_ttl=0`+line(0)+
			`\ndb7:keys=2,expires=1,avg_ttl=(5000|4\d{3})`+line(hashes)+`\n$`, commandtest.InfoOf(c, "keyspace"))
	}
}

func TestInfo_ChangesOfSeveralDatabases(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Want("HSET a f v", "1", "HSET b f v", "1", "SELECT 7", "OK", "HSET c f v", "1", "HSET d f v", "1",
		"PEXPIRE d 5000", "1")
	require.Contains(t, commandtest.InfoOf(c, "persistence"), "\nrdb_changes_since_last_save:5\n")
}

func TestInfo_Changes(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	count := func() (n int) {
		_, text, _ := strings.Cut(commandtest.InfoOf(c, "persistence"), "\nrdb_changes_since_last_save:")
		_, err := fmt.Sscan(text, &n)
		require.NoError(t, err)
		return n
	}
	for _, step := range []struct {
		line string
		want int
	}{
		{"HSET h a 1 b 2 a 3", 3}, {"HDEL h a b", 2}, {"HDEL h a", 0}, {"RPUSH l 1 2 3 4", 4}, {"LTRIM l 1 2", 2},
		{"LTRIM l 0 -1", 0},
		{"LMOVE l m LEFT LEFT", 1}, {"RENAME m n", 1}, {"RENAME n n", 0}, {"MOVE n 1", 1}, {"SADD s a b b", 2},
		{"SPOP s 5", 2},
		{"ZADD z 1 a 2 b 3 b", 3}, {"ZREMRANGEBYRANK z 0 -1", 2}, {"XADD x 1 f v", 1}, {"XADD x 2 f v", 1},
		{"XADD x 3 f v", 1},
		{"XADD x MAXLEN 3 4 f v", 1}, {"XTRIM x MAXLEN 1", 2}, {"RPUSH t 2 1 3", 3}, {"SORT t STORE t", 3},
		{"BITFIELD b SET u8 0 1 SET u8 8 1", 2},
		{"SWAPDB 1 1", 1}, {"PFADD p 1 2 3", 4}, {"FUNCTION FLUSH", 1}, {"SET e v PX 5", 1}, {"GET x", 0},
		{"EXPIRE t 100", 1}, {"DEL t b p", 3},
		{"FLUSHALL", 3},
	} {
		before := count()
		c.Do(step.line)
		clock.Advance(time.Second) // what expires is no change
		env.Store.ExpireDue()
		require.Equal(t, step.want, count()-before, step.line)
	}
}

func TestInfo_Counters(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Do("HSET h a 1")
	c.Do("HGET h")
	c.Do("HGET h a")
	c.Do("HSET h a 1 b")
	c.Do("GET h")
	c.Do("NOSUCH")
	c.Want("MULTI", "OK", "HGET h a", "QUEUED", "EXEC", `["1"]`)
	stats := commandtest.InfoOf(c, "commandstats errorstats stats")
	for _, line := range []string{
		"cmdstat_hset:calls=2,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=1",
		"cmdstat_hget:calls=2,usec=0,usec_per_call=0.00,rejected_calls=1,failed_calls=0",
		"cmdstat_get:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=1",
		"errorstat_ERR:count=3", "errorstat_WRONGTYPE:count=1", "total_error_replies:4", "total_commands_processed:7",
	} {
		require.Contains(t, stats, "\n"+line+"\n")
	}
	c.Want("CONFIG RESETSTAT", "OK")
	require.Equal(t, "# "+
		"Commandstats\ncmdstat_config|resetstat:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=0\n"+
		"\n# Errorstats\n",
		commandtest.InfoOf(c, "commandstats errorstats"))
}

// Traffic is counted until RESETSTAT, also that of connections that have ended. Rates are averages since INFO was
// asked for before.
func TestInfo_Traffic(t *testing.T) {
	env, clock := commandtest.NewEnvAt(t, commandtest.FixedClock{At: time.Now()})
	clients := commandtest.Connect(t, env, 2)
	c := clients[0]
	value := func(name string) string {
		_, rest, _ := strings.Cut(commandtest.InfoOf(c, "stats"), "\n"+name+":")
		text, _, _ := strings.Cut(rest, "\n")
		return text
	}
	for _, other := range clients {
		other.Session.Traffic.Read(1000)
		other.Session.Traffic.Wrote(3000)
	}
	clients[1].Session.Close()
	clock.Advance(time.Second)
	require.Equal(t, "2000", value("total_net_input_bytes"))
	require.Equal(t, "6000", value("total_net_output_bytes"))
	require.Equal(t, "2", value("total_reads_processed"))
	clock.Advance(time.Second)
	c.Session.Traffic.Read(5 * 1024)
	c.Do("PING")
	require.Equal(t, "5.00", value("instantaneous_input_kbps"))
	require.Equal(t, "5.00", value("instantaneous_input_kbps"))
	c.Do("CONFIG RESETSTAT")
	require.Equal(t, "0", value("total_net_input_bytes"))
	c.Session.Traffic.Read(7)
	require.Equal(t, "7", value("total_net_input_bytes"))
}

func TestInfo_LatencyStats(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("GET k", "nil")
	require.NotContains(t, commandtest.InfoOf(c, "latencystats"), "percentiles")
	c.DoArgs([]byte("CONFIG"), []byte("SET"), []byte("latency-tracking-info-percentiles"), []byte("0 99.9"))
	c.Want("CONFIG SET latency-tracking yes", "OK", "GET k", "nil")
	require.Regexp(t, `\nlatency_percentiles_usec_get:p0=\d+\.\d{3},p99\.9=\d+\.\d{3}\n`,
		commandtest.InfoOf(c, "latencystats")+"\n")
	c.Want("CONFIG RESETSTAT", "OK", "CONFIG SET latency-tracking no", "OK")
	require.NotContains(t, commandtest.InfoOf(c, "latencystats"), "percentiles")
}

func TestInfo_FieldsOfVersions(t *testing.T) {
	for server, want := range map[string][]string{
		"7.4": {"pubsub_clients:1", "watching_clients:1", "total_watched_keys:2", "total_blocking_keys:2",
			"acl_access_denied_auth:1", "expired_subkeys:0"},
		"valkey-9.1": {"pubsub_clients:1", "paused_reason:client_pause", "paused_actions:write",
			"expired_fields:0", "acl_access_denied_db:0"},
	} {
		env := commandtest.NewEnvOf(t, server)
		clients := commandtest.Connect(t, env, 4)
		clients[0].Do("SUBSCRIBE c")
		clients[1].Do("WATCH a b")
		clients[2].Do("BLPOP x y 0")
		clients[3].Do("AUTH nosuch x")
		clients[3].Do("CLIENT PAUSE 5000 WRITE")
		info := commandtest.InfoOf(clients[3], "")
		for _, line := range want {
			require.Contains(t, info, "\n"+line+"\n")
		}
	}
}

func TestInfo_ErrorStats_CodesOfScriptsOverflow(t *testing.T) {
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, "valkey-8.1"))
	for i := range 130 {
		c.DoStrings("EVAL", "return redis.error_reply(ARGV[1] .. ' failed')", "0", "CODE"+strconv.Itoa(i))
	}
	c.Do("GET")
	c.DoStrings("EVAL", "return redis.error_reply('CODE1 failed')", "0")
	info := commandtest.InfoOf(c, "errorstats")
	for _, line := range []string{"errorstat_CODE0:count=1\n", "errorstat_CODE1:count=2\n", "errorstat_ERR:count=1\n",
		"errorstat_ERRORSTATS_OVERFLOW:count=2\n"} {
		require.Contains(t, info, line)
	}
	require.NotContains(t, info, "errorstat_CODE128:")
}

func TestInfo_KeySizes(t *testing.T) {
	env := commandtest.NewEnvOf(t, "8.0")
	c := commandtest.NewClient(t, env)
	require.Equal(t, "# Keysizes\n", commandtest.InfoOf(c, "keysizes"))
	for _, line := range []string{"SET a x", "SET b xyz", "SET n 12345", "SETRANGE k 1023 x", "SETRANGE m 1048576 x",
		"RPUSH l 1 2 3 4", "SADD s 1 2", "SADD t a", "ZADD z 1 a", "HSET h a 1", "XADD x * a 1", "SELECT 3", "SET k x"} {
		c.Do(line)
	}
	c.DoStrings("SET", "empty", "")
	require.Equal(t, "# Keysizes\ndb0_distrib_strings_sizes:1=1,2=1,4=1,1K=1,1M=1\ndb0_distrib_lists_items:4=1\n"+
		"db0_distrib_sets_items:1=1,2=1\ndb0_distrib_zsets_items:1=1\ndb0_distrib_hashes_items:1=1\n"+
		"db3_distrib_strings_sizes:0=1,1=1\n", commandtest.InfoOf(c, "keysizes"))
}
