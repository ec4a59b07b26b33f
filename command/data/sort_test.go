package data_test

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

const errConversion = "ERR One or more scores can't be converted into double"

func TestSort_OrderAndLimit(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l 3 1 2 10", "4",
			"SORT l", `["1" "2" "3" "10"]`,
			"SORT l DESC", `["10" "3" "2" "1"]`,
			"SORT l ALPHA", `["1" "10" "2" "3"]`,
			"SORT l desc alpha asc", `["1" "10" "2" "3"]`,
			"SORT_RO l", `["1" "2" "3" "10"]`,
			"SORT l LIMIT -1 2", `["1" "2"]`,
			"SORT l LIMIT 1 -5", `["2" "3" "10"]`,
			"SORT l LIMIT 3 100", `["10"]`,
			"SORT l LIMIT 1 0", "[]",
			"SORT l LIMIT 9 1", "[]",
			"SORT missing", "[]",
			"SORT missing GET # GET k", "[]",
			"ZADD z 1 30 2 20 3 100", "3",
			"SORT z", `["20" "30" "100"]`,
			"SADD s 3 1 2", "3",
			"SORT s DESC", `["3" "2" "1"]`,
		)
	})
}

func TestSort_ByNosort(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l 3 1 2 10", "4",
			"SORT l BY nosort", `["3" "1" "2" "10"]`,
			"SORT l BY nosort DESC", `["10" "2" "1" "3"]`,
			"SORT l BY nosort LIMIT 1 2", `["1" "2"]`,
			"SORT l BY nosort LIMIT 1 2 DESC", `["2" "1"]`,
			"SORT l BY nosort BY k*", `["3" "1" "2" "10"]`,
			"ZADD z 1 b 2 a 3 c", "3",
			"SORT z BY nosort", `["b" "a" "c"]`,
			"SORT z BY nosort LIMIT 0 2 DESC", `["c" "a"]`,
			"SORT z BY nosort LIMIT 0 1 GET # GET #", `["b" "b"]`,
		)
	})
}

func TestSort_ByAndGet(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l 1 2 3", "3",
			"MSET w1 30 w2 10 w3 20", "OK",
			"HSET h1 f c n 1", "2",
			"HSET h2 f b", "1",
			"HSET h3 f ''", "1",
			"SORT l BY w*", `["2" "3" "1"]`,
			"SORT l BY h*->f ALPHA", `["3" "2" "1"]`,
			"SORT l BY h*->n", `["2" "3" "1"]`,
			"SORT l BY w* GET h*->f GET #", `["b" "2" "" "3" "c" "1"]`,
			"SORT l GET w* GET h* GET w*->f GET k GET h*->missing LIMIT 0 1", `["30" nil nil nil nil]`,
			"SORT l BY x* DESC", `["3" "2" "1"]`,
			"SORT l BY x* ALPHA", `["1" "2" "3"]`,
			"SET h1-> arrow", "OK",
			"SORT l GET h*-> LIMIT 0 1", `["arrow"]`,
			"SORT l BY h*->f", errConversion,
		)
	})
}

func TestSort_Store(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l 3 1 2", "3",
			"SORT l STORE d", "3",
			"LRANGE d 0 -1", `["1" "2" "3"]`,
			"SORT l GET x* LIMIT 0 1 STORE d", "1",
			"LRANGE d 0 -1", `[""]`,
			"PEXPIRE l 1000", "1",
			"SORT l DESC STORE l", "3",
			"LRANGE l 0 -1", `["3" "2" "1"]`,
			"TTL l", "-1",
			"SADD s b a", "2",
			"SORT s STORE d", errConversion,
			"SORT s BY nosort STORE d", "2",
			"LRANGE d 0 -1", `["a" "b"]`,
			"SET str x", "OK",
			"SORT l STORE str", "3",
			"TYPE str", "list",
		)
		c.WantEvents("SORT l STORE other", "sortstore other")
		c.WantEvents("SORT missing STORE other", "del other")
		c.WantEvents("SORT missing STORE other")
		c.WantEvents("SORT l")
	})
}

func TestSort_StoreServesBlockedClients(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	waiting, c := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
	require.Empty(t, waiting.Do("BLPOP d 0"))
	c.Want("RPUSH l 2 1", "2", "SORT l STORE d", "2", "LRANGE d 0 -1", `["2"]`)
}

func TestSort_Numbers(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.DoArgs([]byte("RPUSH"), []byte("l"), []byte(" 1"), []byte("0x3"), []byte("inf"), []byte("-inf"),
			[]byte("1e2"), nil, []byte("7\x00x"))
		c.Want("SORT l", `["-inf" "" " 1" "0x3" "7\x00x" "1e2" "inf"]`)
		for _, bad := range []string{"nan", "1e400", "1e-400", "4.9e-324", "1_0", "x", " ", "1 ", "0x"} {
			c.Do("DEL l")
			c.DoArgs([]byte("RPUSH"), []byte("l"), []byte(bad))
			c.Want("SORT l", errConversion)
		}
		c.Want("DEL l", "1", "RPUSH l 0x1p-1070 0x1p-1071 0", "3", "SORT l", `["0" "0x1p-1071" "0x1p-1070"]`)
	})
}

func TestSort_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET str x", "OK",
			"SORT str", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SORT str LIMIT a b", "ERR value is not an integer or out of range",
			"SORT str LIMIT 1", "ERR syntax error",
			"SORT str FOO", "ERR syntax error",
			"SORT str BY", "ERR syntax error",
			"SORT str GET", "ERR syntax error",
			"SORT str STORE", "ERR syntax error",
			"SORT_RO str STORE d", "ERR syntax error",
			"RPUSH l a b", "2",
			"SORT l", errConversion,
		)
	})
}

func TestSort_Keys(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"COMMAND GETKEYS SORT a BY b STORE c STORE d", `["a" "d"]`,
			"COMMAND GETKEYS SORT a LIMIT STORE 1 2", `["a"]`,
			"COMMAND GETKEYS SORT a GET STORE STORE x", `["a" "x"]`,
			"COMMAND GETKEYS SORT_RO a BY b_*", `["a"]`,
			"COMMAND GETKEYSANDFLAGS SORT a STORE b", `[["a" [RO access]] ["b" [OW update]]]`,
		)
	})
}

// In a script a set is sorted even if no order is asked for.
func TestSort_InScripts(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		eval := func(script string) string { return c.DoArgs([]byte("EVAL"), []byte(script), []byte("1"), []byte("s")) }
		c.Want("SADD s c b a d", "4", "MSET ka 1 kd 4", "OK")
		require.Equal(t, `["a" "b" "c" "d"]`, eval("return redis.call('SORT', KEYS[1], 'BY', 'nosort')"))
		require.Equal(t, `["c" "b"]`, eval("return redis.call('SORT', KEYS[1], 'BY', 'nosort', 'DESC', 'LIMIT', 1, 2)"))
		require.Equal(t, `["1" nil nil "4"]`,
			eval("redis.call('SADD', KEYS[1], 'a') return redis.call('SORT', KEYS[1], 'ALPHA', 'GET', 'k*')"))
	})
}

// The keys of BY and GET are in other shards. What the transaction did before must not be done twice.
func TestSort_ReadsKeysInAllShards(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		var want []string
		for i := range 200 {
			c.Do(fmt.Sprintf("RPUSH l %d", i))
			c.Do(fmt.Sprintf("SET w%d %d", i, 1000-i))
			want = append([]string{fmt.Sprint(i)}, want...)
		}
		require.Equal(t, want, elements(c.Do("SORT l BY w*")))
		c.Want(
			"MULTI", "OK",
			"INCR n", "QUEUED",
			"SORT l BY w* LIMIT 0 2 GET w* STORE d", "QUEUED",
			"EXEC", "[1 2]",
			"LRANGE d 0 -1", `["801" "802"]`,
			"GET n", `"1"`,
		)
	})
}

func TestSort_PatternsNeedPermissionForAllKeys(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	admin, c := commandtest.NewClient(t, env), commandtest.NewClient(t, env)
	admin.Want("RPUSH mine:l 1 2", "2", "MSET w1 5 w2 3", "OK")
	by := "ERR BY option of SORT denied due to insufficient ACL permissions."
	get := "ERR GET option of SORT denied due to insufficient ACL permissions."
	for _, step := range []struct{ rules, by, get string }{
		{"~mine:* +@all", by, get},
		{"%R~mine:* %W~* +@all", by, get},
		{"~mine:* %R~** +@all", by, get},
		{"~mine:* +@all (%R~* +get)", by, get},
		{"~mine:* +@all (%R~* +sort)", `["2" "1"]`, `["5" "3"]`},
		{"%R~* +@all", `["2" "1"]`, `["5" "3"]`},
		{"allkeys +@all", `["2" "1"]`, `["5" "3"]`},
	} {
		admin.Want("ACL SETUSER u reset on nopass "+step.rules, "OK")
		c.Want("AUTH u p", "OK",
			"SORT mine:l BY w*", step.by,
			"SORT mine:l BY nosort GET w*", step.get,
			"SORT mine:l BY nosort", `["1" "2"]`)
	}
}

func TestSort_DecimalNumbers(t *testing.T) {
	for server, want := range map[string][3]string{
		"7.2":        {`["0x3"]`, `[""]`, errConversion},
		"8.2":        {errConversion, `[""]`, `["1e400"]`},
		"valkey-9.1": {errConversion, errConversion, errConversion},
	} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"RPUSH hex 0x3", "1",
				"SORT hex", want[0],
				"RPUSH empty ''", "1",
				"SORT empty", want[1],
				"RPUSH large 1e400", "1",
				"SORT large", want[2],
			)
		})
	}
}

func TestSort_MakesASortedSetASkipList(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("ZADD z 0.1 1", "1", "OBJECT ENCODING z", `"listpack"`, "SORT_RO z", `["1"]`,
		"OBJECT ENCODING z", `"skiplist"`, "ZRANGE z 0 -1", `["1"]`)
}
