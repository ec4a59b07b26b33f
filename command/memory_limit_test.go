package command_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

const oom = "OOM command not allowed when used memory > 'maxmemory'."

func TestMaxMemory_NoEviction(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("SET k v", "OK", "CONFIG SET maxmemory 1", "OK",
		"SET k v", oom, "HSET h f v", oom, "FUNCTION LOAD x", oom,
		"GET k", `"v"`, "EXPIRE k 10", "1", "CONFIG GET maxmemory", `["maxmemory" "1"]`,
		"DEL k", "1", "SET k v", oom,
		"CONFIG SET maxmemory 0", "OK", "SET k v", "OK")
	require.Contains(t, commandtest.InfoOf(c, "errorstats"), "errorstat_OOM:count=4\n")
}

func TestMaxMemory_InMulti(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c, other := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
	c.Want("MULTI", "OK", "GET k", "QUEUED")
	other.Do("CONFIG SET maxmemory 1")
	c.Want("PING", oom, "DISCARD", "OK", "MULTI", "OK", "MULTI", oom, "RESET", "RESET")

	other.Do("CONFIG SET maxmemory 0")
	c.Want("MULTI", "OK", "GET k", "QUEUED", "PING", "QUEUED")
	other.Do("CONFIG SET maxmemory 1")
	c.Want("EXEC", "[nil PONG]")

	other.Do("CONFIG SET maxmemory 0")
	c.Want("MULTI", "OK", "SET k v", "QUEUED", "GET k", "QUEUED")
	other.Do("CONFIG SET maxmemory 1")
	c.Want("EXEC", "EXECABORT Transaction discarded because of: "+oom, "EXEC", "ERR EXEC without MULTI")
}

// eval runs a script without keys.
func eval(c *commandtest.Client, command, source string) string {
	c.T.Helper()
	return c.DoArgs([]byte(command), []byte(source), []byte("0"))
}

func TestMaxMemory_Scripts(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("SET x 1", "OK", "CONFIG SET maxmemory 1", "OK")
	for source, want := range map[string]string{
		"return redis.call('set', 'x', 1)": oom + " script: " +
			luaeval.SHA1([]byte("return redis.call('set', 'x', 1)")) + ", on @user_script:1.",
		"return redis.pcall('set', 'x', 1)['err']":                  `"` + oom + `"`,
		"return redis.call('get', 'x')":                             `"1"`,
		"redis.call('del', 'y') return redis.call('set', 'y', 2)":   "OK", // it has written already
		"#!lua\nreturn 1":                                           oom,
		"#!lua flags=allow-oom\nredis.call('set', 'z', 2) return 1": "1",
		"#!lua flags=no-writes\nreturn redis.call('get', 'x')":      `"`,
		"#!lua flags=no-writes,allow-oom\nreturn redis.call('set', 'x', 1)": "ERR Write commands are not allowed " +
			"from read-only scripts.",
	} {
		require.True(t, strings.HasPrefix(eval(c, "EVAL", source), want), "%s: %s", source, eval(c, "EVAL", source))
	}
	require.Equal(t, "1", eval(c, "EVAL_RO", "#!lua flags=no-writes\nreturn 1"))
}

func TestMaxMemory_ScriptThatExecCouldNotKnow(t *testing.T) {
	const source = "#!lua\nreturn 1"
	env, _ := commandtest.NewEnv(t)
	c, other := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
	c.Do("MULTI")
	c.Want("EVALSHA "+luaeval.SHA1([]byte(source))+" 0", "QUEUED")
	require.Equal(t, "QUEUED", eval(c, "EVAL", "#!lua flags=allow-oom,no-cluster\nreturn 2"))
	other.Do("CONFIG SET maxmemory 1")
	c.Want("EXEC", "[NOSCRIPT No matching script. Please use EVAL. 2]")

	other.Do("CONFIG SET maxmemory 0")
	c.Do("MULTI")
	c.DoArgs([]byte("SCRIPT"), []byte("LOAD"), []byte(source))
	c.Do("EVALSHA " + luaeval.SHA1([]byte(source)) + " 0")
	other.Do("CONFIG SET maxmemory 1")
	c.Want("EXEC", fmt.Sprintf("[%q OOM allow-oom flag is not set on the script, can not run it when used memory > "+
		"'maxmemory']", luaeval.SHA1([]byte(source))))
}

func TestMaxMemory_Functions(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.DoArgs([]byte("FUNCTION"), []byte("LOAD"), []byte(`#!lua name=lib
		redis.register_function('plain', function() return 1 end)
		redis.register_function{function_name='reads', callback=function() return 1 end, flags={'no-writes'}}
		redis.register_function{function_name='may', callback=function() return redis.call('set', 'k', 1) end,
			flags={'allow-oom'}}`))
	c.Want("CONFIG SET maxmemory 1", "OK", "FCALL plain 0", oom, "FCALL reads 0", "1", "FCALL_RO reads 0", "1",
		"FCALL may 0", "OK",
		"FCALL none 0", "ERR Function not found")
}

func TestMinReplicasToWrite(t *testing.T) {
	const few = "NOREPLICAS Not enough good replicas to write."
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("SET x 1", "OK", "CONFIG SET min-slaves-to-write 1", "OK", "SET x 2", few, "GET x", `"1"`, "PUBLISH a b",
		"0",
		"MULTI", "OK", "SET x 2", few, "EXEC", "EXECABORT Transaction discarded because of previous errors.",
		"CONFIG SET min-replicas-max-lag 0", "OK", "SET x 1", "OK", "CONFIG SET min-replicas-max-lag 10", "OK")
	require.Contains(t, commandtest.InfoOf(c, "replication"), "\nmin_slaves_good_slaves:0\n")
	for source, want := range map[string]string{
		"return redis.call('get', 'x')":                        `"1"`,
		"return redis.call('set', 'x', 1)":                     few + " script: ",
		"#!lua\nreturn 1":                                      few,
		"#!lua flags=no-writes\nreturn redis.call('get', 'x')": `"1"`,
	} {
		require.True(t, strings.HasPrefix(eval(c, "EVAL", source), want), "%s: %s", source, eval(c, "EVAL", source))
	}
	c.Want("CONFIG SET min-replicas-to-write 0", "OK", "SET x 2", "OK")
}

func TestMaxMemory_Evicts(t *testing.T) {
	for _, policy := range []string{"allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru", "volatile-lfu",
		"volatile-random", "volatile-ttl"} {
		t.Run(policy, func(t *testing.T) {
			commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
				c.Want("SET stays v", "OK", "CONFIG SET maxmemory-policy "+policy+" maxmemory 20000", "OK")
				for i := range 300 {
					c.Want(fmt.Sprintf("SETEX k%d 100 v", i), "OK")
				}
				evicted := c.Env.Store.Evicted()
				require.Greater(t, evicted, int64(100))
				require.Len(t, evictions(c.TakeEvents()), int(evicted))
				c.Do("PING") // the last command may have gone beyond the limit
				require.False(t, c.Env.Store.OverLimit())
				require.Contains(t, commandtest.InfoOf(c.Client, "stats"),
					fmt.Sprintf("\nevicted_keys:%d\n", c.Env.Store.Evicted()))
				if strings.HasPrefix(policy, "volatile") {
					c.Want("EXISTS stays", "1")
				}
			})
		})
	}
}

// evictions is the events of keys that were evicted.
func evictions(events []string) (keys []string) {
	for _, e := range events {
		if key, ok := strings.CutPrefix(e, "evicted "); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

func TestMaxMemory_SetEvictsAtOnce(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("CONFIG SET maxmemory-policy volatile-ttl maxmemory-samples 64", "OK",
			"SETEX late 300 v", "OK", "SETEX soon 100 v", "OK", "SETEX middle 200 v", "OK", "SET stays v", "OK")
		c.WantEvents("CONFIG SET maxmemory 1", "evicted soon", "evicted middle", "evicted late")
		c.Want("SET stays v", oom, "GET stays", `"v"`)
	})
}

func TestMaxMemory_LeastRecentlyUsedGoesFirst(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("CONFIG SET maxmemory-policy allkeys-lru maxmemory-samples 64")
		for _, line := range []string{"SET a 1", "SET b 1", "SET c 1", "GET a", "EXISTS b", "TYPE b", "TTL b",
			"OBJECT ENCODING b"} {
			c.Do(line)
			c.Clock.Advance(time.Second)
		}
		c.Want("OBJECT IDLETIME b", "7", "OBJECT IDLETIME a", "5")
		c.WantEvents("CONFIG SET maxmemory 1", "evicted b", "evicted c", "evicted a")
	})
}

func TestMaxMemory_LeastFrequentlyUsedGoesFirst(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("CONFIG SET maxmemory-policy allkeys-lfu maxmemory-samples 64 lfu-log-factor 0")
		c.Do("MSET a 1 b 1 c 1")
		for range 3 {
			c.Do("GET a")
		}
		c.Do("GET c")
		c.Want("OBJECT FREQ a", "8", "OBJECT FREQ b", "5", "OBJECT FREQ c", "6")
		c.WantEvents("CONFIG SET maxmemory 1", "evicted b", "evicted c", "evicted a")
	})
}

func TestObject_Freq_Decays(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("CONFIG SET maxmemory-policy volatile-lfu", "OK", "SET a 1", "OK", "OBJECT FREQ a", "5",
			"OBJECT IDLETIME a", "ERR An LFU maxmemory policy is selected, idle time not tracked. "+
				"Please note that when switching between policies at runtime LRU and LFU data will take some time to "+
				"adjust.")
		c.Clock.Advance(2 * time.Minute)
		c.Want("OBJECT FREQ a", "3", "CONFIG SET lfu-decay-time 2", "OK", "OBJECT FREQ a", "4",
			"CONFIG SET lfu-decay-time 0", "OK", "OBJECT FREQ a", "5")
	})
}

func TestObject_Freq_GrowsMoreSlowlyTheGreaterItIs(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("CONFIG SET maxmemory-policy allkeys-lfu", "OK", "SET a 1", "OK")
		for range 10_000 {
			c.Do("GET a")
		}
		freq := c.Do("OBJECT FREQ a")
		require.Regexp(t, `^\d\d$`, freq) // some 50 by the sum of probabilities
		require.Greater(t, freq, "30")
		require.Less(t, freq, "70")
	})
}

func TestObject_IdleTime(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("SET a 1")
		c.Clock.Advance(10 * time.Second)
		c.Want("OBJECT IDLETIME a", "10", "CLIENT NO-TOUCH ON", "OK", "GET a", `"1"`, "OBJECT IDLETIME a", "10",
			"TOUCH a b", "1", "OBJECT IDLETIME a", "0")
		c.Clock.Advance(5 * time.Second)
		c.Want("INCR a", "2", "OBJECT IDLETIME a", "5", "CLIENT NO-TOUCH OFF", "OK", "STRLEN a", "1",
			"OBJECT IDLETIME a", "0")
		c.Clock.Advance(5 * time.Second)
		c.Want("CLIENT NO-TOUCH ON", "OK", "RESET", "RESET", "EXPIRE a 10", "1", "OBJECT IDLETIME a", "0")
	})
}

func TestObject_RefCount_WhereKeysHaveAges(t *testing.T) {
	env := commandtest.NewEnvOf(t, "8.0")
	c := commandtest.NewClient(t, env)
	c.Want("SET a 1", "OK", "CONFIG SET maxmemory 1gb maxmemory-policy allkeys-random", "OK", "OBJECT REFCOUNT a",
		"2147483647",
		"CONFIG SET maxmemory-policy volatile-lru", "OK", "OBJECT REFCOUNT a", "1", "CONFIG SET maxmemory 0", "OK",
		"OBJECT REFCOUNT a", "2147483647")
}

func TestStore_SettersOfUse(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		set := func() {
			tx := c.Env.Store.NewTx()
			tx.Do(store.All, false, func() { tx.SetIdle([]byte("a"), 1000); tx.SetFrequency([]byte("a"), 100) },
				func() {})
		}
		c.Do("SET a 1")
		set()
		c.Want("OBJECT IDLETIME a", "1000", "CONFIG SET maxmemory-policy allkeys-lfu", "OK")
		set()
		c.Want("OBJECT FREQ a", "100")
	})
}

func TestNotify_KeyMiss(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	var misses []string
	env.Store.SetEventSink(func(_ *store.Tx, class store.EventClass, event string, _ int, key []byte) {
		if class == store.EventMiss {
			misses = append(misses, event+" "+string(key))
		}
	})
	for line, want := range map[string]string{
		"GET a": "a", "MGET a b": "a b", "EXISTS a a": "a a", "TYPE a": "a", "TTL a": "a", "TOUCH a": "a",
		"HGETALL a": "a", "SET a 1 GET": "a",
		"SINTERSTORE d a b": "a b", "ZUNIONSTORE d 2 a b": "a b", "COPY a b": "a", "SET b 1": "", "HSETNX c f v": "",
		"LPUSHX a x": "",
		"EXPIRE a 1": "", "OBJECT ENCODING a": "", "MEMORY USAGE a": "", "RENAME a b": "", "DEL a": "", "LPOP a": "",
		"BLPOP e 0.01": "",
	} {
		c.Session.Serve([][]byte{[]byte("FLUSHALL")})
		misses = nil
		other := commandtest.NewClient(t, env)
		other.Do(line)
		other.Session.Close()
		require.Equal(t, want, strings.ReplaceAll(strings.Join(misses, " "), "keymiss ", ""), line)
	}
}
