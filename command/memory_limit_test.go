package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

const oom = "OOM command not allowed when used memory > 'maxmemory'."

func TestMaxMemory_NoEviction(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("SET k v", "OK", "CONFIG SET maxmemory 1", "OK",
		"SET k v", oom, "HSET h f v", oom, "FUNCTION LOAD x", oom,
		"GET k", `"v"`, "EXPIRE k 10", "1", "CONFIG GET maxmemory", `["maxmemory" "1"]`,
		"DEL k", "1", "SET k v", oom,
		"CONFIG SET maxmemory 0", "OK", "SET k v", "OK")
	require.Contains(t, infoOf(c, "errorstats"), "errorstat_OOM:count=4\n")
}

func TestMaxMemory_InMulti(t *testing.T) {
	env, _ := newEnv(t)
	c, other := newClient(t, env), newClient(t, env)
	c.want("MULTI", "OK", "GET k", "QUEUED")
	other.do("CONFIG SET maxmemory 1")
	c.want("PING", oom, "DISCARD", "OK", "MULTI", "OK", "MULTI", oom, "RESET", "RESET")

	other.do("CONFIG SET maxmemory 0")
	c.want("MULTI", "OK", "GET k", "QUEUED", "PING", "QUEUED")
	other.do("CONFIG SET maxmemory 1")
	c.want("EXEC", "[nil PONG]")

	other.do("CONFIG SET maxmemory 0")
	c.want("MULTI", "OK", "SET k v", "QUEUED", "GET k", "QUEUED")
	other.do("CONFIG SET maxmemory 1")
	c.want("EXEC", "EXECABORT Transaction discarded because of: "+oom, "EXEC", "ERR EXEC without MULTI")
}

// eval runs a script without keys.
func (c *testClient) eval(command, source string) string {
	c.t.Helper()
	return c.doArgs([]byte(command), []byte(source), []byte("0"))
}

func TestMaxMemory_Scripts(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("SET x 1", "OK", "CONFIG SET maxmemory 1", "OK")
	for source, want := range map[string]string{
		"return redis.call('set', 'x', 1)":                                  oom + " script: " + luaeval.SHA1([]byte("return redis.call('set', 'x', 1)")) + ", on @user_script:1.",
		"return redis.pcall('set', 'x', 1)['err']":                          `"` + oom + `"`,
		"return redis.call('get', 'x')":                                     `"1"`,
		"redis.call('del', 'y') return redis.call('set', 'y', 2)":           "OK", // it has written already
		"#!lua\nreturn 1":                                                   oom,
		"#!lua flags=allow-oom\nredis.call('set', 'z', 2) return 1":         "1",
		"#!lua flags=no-writes\nreturn redis.call('get', 'x')":              `"`,
		"#!lua flags=no-writes,allow-oom\nreturn redis.call('set', 'x', 1)": "ERR Write commands are not allowed from read-only scripts.",
	} {
		require.True(t, strings.HasPrefix(c.eval("EVAL", source), want), "%s: %s", source, c.eval("EVAL", source))
	}
	require.Equal(t, "1", c.eval("EVAL_RO", "#!lua flags=no-writes\nreturn 1"))
}

func TestMaxMemory_ScriptThatExecCouldNotKnow(t *testing.T) {
	const source = "#!lua\nreturn 1"
	env, _ := newEnv(t)
	c, other := newClient(t, env), newClient(t, env)
	c.do("MULTI")
	c.want("EVALSHA "+luaeval.SHA1([]byte(source))+" 0", "QUEUED")
	require.Equal(t, "QUEUED", c.eval("EVAL", "#!lua flags=allow-oom,no-cluster\nreturn 2"))
	other.do("CONFIG SET maxmemory 1")
	c.want("EXEC", "[NOSCRIPT No matching script. Please use EVAL. 2]")

	other.do("CONFIG SET maxmemory 0")
	c.do("MULTI")
	c.doArgs([]byte("SCRIPT"), []byte("LOAD"), []byte(source))
	c.do("EVALSHA " + luaeval.SHA1([]byte(source)) + " 0")
	other.do("CONFIG SET maxmemory 1")
	c.want("EXEC", fmt.Sprintf("[%q OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory']", luaeval.SHA1([]byte(source))))
}

func TestMaxMemory_Functions(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.doArgs([]byte("FUNCTION"), []byte("LOAD"), []byte(`#!lua name=lib
		redis.register_function('plain', function() return 1 end)
		redis.register_function{function_name='reads', callback=function() return 1 end, flags={'no-writes'}}
		redis.register_function{function_name='may', callback=function() return redis.call('set', 'k', 1) end, flags={'allow-oom'}}`))
	c.want("CONFIG SET maxmemory 1", "OK", "FCALL plain 0", oom, "FCALL reads 0", "1", "FCALL_RO reads 0", "1", "FCALL may 0", "OK",
		"FCALL none 0", "ERR Function not found")
}

func TestMinReplicasToWrite(t *testing.T) {
	const few = "NOREPLICAS Not enough good replicas to write."
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("SET x 1", "OK", "CONFIG SET min-slaves-to-write 1", "OK", "SET x 2", few, "GET x", `"1"`, "PUBLISH a b", "0",
		"MULTI", "OK", "SET x 2", few, "EXEC", "EXECABORT Transaction discarded because of previous errors.",
		"CONFIG SET min-replicas-max-lag 0", "OK", "SET x 1", "OK", "CONFIG SET min-replicas-max-lag 10", "OK")
	require.Contains(t, infoOf(c, "replication"), "\nmin_slaves_good_slaves:0\n")
	for source, want := range map[string]string{
		"return redis.call('get', 'x')":                        `"1"`,
		"return redis.call('set', 'x', 1)":                     few + " script: ",
		"#!lua\nreturn 1":                                      few,
		"#!lua flags=no-writes\nreturn redis.call('get', 'x')": `"1"`,
	} {
		require.True(t, strings.HasPrefix(c.eval("EVAL", source), want), "%s: %s", source, c.eval("EVAL", source))
	}
	c.want("CONFIG SET min-replicas-to-write 0", "OK", "SET x 2", "OK")
}

func TestMaxMemory_Evicts(t *testing.T) {
	for _, policy := range []string{"allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"} {
		t.Run(policy, func(t *testing.T) {
			inBubble(t, func(c *bubbleClient) {
				c.want("SET stays v", "OK", "CONFIG SET maxmemory-policy "+policy+" maxmemory 20000", "OK")
				for i := range 300 {
					c.want(fmt.Sprintf("SETEX k%d 100 v", i), "OK")
				}
				evicted := c.env.Store.Evicted()
				require.Greater(t, evicted, int64(100))
				require.Len(t, evictions(c.events), int(evicted))
				c.do("PING") // the last command may have gone beyond the limit
				require.False(t, c.env.Store.OverLimit())
				require.Contains(t, infoOf(c.testClient, "stats"), fmt.Sprintf("\nevicted_keys:%d\n", c.env.Store.Evicted()))
				if strings.HasPrefix(policy, "volatile") {
					c.want("EXISTS stays", "1")
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
	inBubble(t, func(c *bubbleClient) {
		c.want("CONFIG SET maxmemory-policy volatile-ttl maxmemory-samples 100", "OK",
			"SETEX late 300 v", "OK", "SETEX soon 100 v", "OK", "SETEX middle 200 v", "OK", "SET stays v", "OK")
		c.wantEvents("CONFIG SET maxmemory 1", "evicted soon", "evicted middle", "evicted late")
		c.want("SET stays v", oom, "GET stays", `"v"`)
	})
}

func TestMaxMemory_LeastRecentlyUsedGoesFirst(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.do("CONFIG SET maxmemory-policy allkeys-lru maxmemory-samples 100")
		for _, line := range []string{"SET a 1", "SET b 1", "SET c 1", "GET a", "EXISTS b", "TYPE b", "TTL b", "OBJECT ENCODING b"} {
			c.do(line)
			c.clock.Advance(time.Second)
		}
		c.want("OBJECT IDLETIME b", "7", "OBJECT IDLETIME a", "5")
		c.wantEvents("CONFIG SET maxmemory 1", "evicted b", "evicted c", "evicted a")
	})
}

func TestMaxMemory_LeastFrequentlyUsedGoesFirst(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.do("CONFIG SET maxmemory-policy allkeys-lfu maxmemory-samples 100 lfu-log-factor 0")
		c.do("MSET a 1 b 1 c 1")
		for range 3 {
			c.do("GET a")
		}
		c.do("GET c")
		c.want("OBJECT FREQ a", "8", "OBJECT FREQ b", "5", "OBJECT FREQ c", "6")
		c.wantEvents("CONFIG SET maxmemory 1", "evicted b", "evicted c", "evicted a")
	})
}

func TestObject_Freq_Decays(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.want("CONFIG SET maxmemory-policy volatile-lfu", "OK", "SET a 1", "OK", "OBJECT FREQ a", "5",
			"OBJECT IDLETIME a", "ERR An LFU maxmemory policy is selected, idle time not tracked. "+
				"Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.")
		c.clock.Advance(2 * time.Minute)
		c.want("OBJECT FREQ a", "3", "CONFIG SET lfu-decay-time 2", "OK", "OBJECT FREQ a", "4", "CONFIG SET lfu-decay-time 0", "OK", "OBJECT FREQ a", "5")
	})
}

func TestObject_Freq_GrowsMoreSlowlyTheGreaterItIs(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.want("CONFIG SET maxmemory-policy allkeys-lfu", "OK", "SET a 1", "OK")
		for range 10_000 {
			c.do("GET a")
		}
		freq := c.do("OBJECT FREQ a")
		require.Regexp(t, `^\d\d$`, freq) // some 50 by the sum of probabilities
		require.Greater(t, freq, "30")
		require.Less(t, freq, "70")
	})
}

func TestObject_IdleTime(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.do("SET a 1")
		c.clock.Advance(10 * time.Second)
		c.want("OBJECT IDLETIME a", "10", "CLIENT NO-TOUCH ON", "OK", "GET a", `"1"`, "OBJECT IDLETIME a", "10",
			"TOUCH a b", "1", "OBJECT IDLETIME a", "0")
		c.clock.Advance(5 * time.Second)
		c.want("INCR a", "2", "OBJECT IDLETIME a", "5", "CLIENT NO-TOUCH OFF", "OK", "STRLEN a", "1", "OBJECT IDLETIME a", "0")
		c.clock.Advance(5 * time.Second)
		c.want("CLIENT NO-TOUCH ON", "OK", "RESET", "RESET", "EXPIRE a 10", "1", "OBJECT IDLETIME a", "0")
	})
}

func TestObject_RefCount_WhereKeysHaveAges(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want("SET a 1", "OK", "CONFIG SET maxmemory 1gb maxmemory-policy allkeys-random", "OK", "OBJECT REFCOUNT a", "2147483647",
		"CONFIG SET maxmemory-policy volatile-lru", "OK", "OBJECT REFCOUNT a", "1", "CONFIG SET maxmemory 0", "OK", "OBJECT REFCOUNT a", "2147483647")
}

func TestStore_SettersOfUse(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		set := func() {
			tx := c.env.Store.NewTx()
			tx.Do(store.All, false, func() { tx.SetIdle([]byte("a"), 1000); tx.SetFrequency([]byte("a"), 100) }, func() {})
		}
		c.do("SET a 1")
		set()
		c.want("OBJECT IDLETIME a", "1000", "CONFIG SET maxmemory-policy allkeys-lfu", "OK")
		set()
		c.want("OBJECT FREQ a", "100")
	})
}

func TestNotify_MissedKeys(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	var missed []string
	env.Store.SetEventSink(func(_ *store.Tx, class store.EventClass, event string, _ int, key []byte) {
		if class == store.EventMiss {
			missed = append(missed, event+" "+string(key))
		}
	})
	for line, want := range map[string]string{
		"GET a": "a", "MGET a b": "a b", "EXISTS a a": "a a", "TYPE a": "a", "TTL a": "a", "TOUCH a": "a", "HGETALL a": "a", "SET a 1 GET": "a",
		"SINTERSTORE d a b": "a b", "ZUNIONSTORE d 2 a b": "a b", "COPY a b": "a", "SET b 1": "", "HSETNX c f v": "", "LPUSHX a x": "",
		"EXPIRE a 1": "", "OBJECT ENCODING a": "", "MEMORY USAGE a": "", "RENAME a b": "", "DEL a": "", "LPOP a": "", "BLPOP e 0.01": "",
	} {
		c.session.Serve([][]byte{[]byte("FLUSHALL")})
		missed = nil
		other := newClient(t, env)
		other.do(line)
		other.session.Close()
		require.Equal(t, want, strings.ReplaceAll(strings.Join(missed, " "), "keymiss ", ""), line)
	}
}
