package exporter

import (
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"

	"github.com/minilockd/minilockd/internal/require"
)

// slowScript takes longer than a millisecond, which is an event for the latency monitor, and calls nothing.
const slowScript = `for i = 1, 1000000 do end`

// work are commands that change the metrics, one a line; ! before a command says that its reply is an error.
const work = `
	CONFIG SET latency-tracking yes slowlog-log-slower-than 0 latency-monitor-threshold 1
	CONFIG RESETSTAT
	SLOWLOG RESET
	SET greeting hello
	GET greeting
	GET none
	INCR counter
	INCRBYFLOAT float 2.5
	SET lease owner PX 100000000
	SET gone at-once PX 100000000
	PEXPIRE gone 0
	HSET hash a 1 b 2
	SADD set a b c
	ZADD zset 1 a 2 b
	PFADD log a b c
	SETBIT bits 100 1
	XADD stream 1-1 field value
	XADD stream 2-1 field value
	XADD stream 3-1 field value
	XDEL stream 3-1
	XGROUP CREATE stream workers 0
	XGROUP CREATE stream idle $
	XREADGROUP GROUP workers one COUNT 1 STREAMS stream >
	XREADGROUP GROUP workers two COUNT 5 STREAMS stream >
	XACK stream workers 1-1
	!GET hash
	!GET
	!NOSUCH
	!EVALSHA ffffffffffffffffffffffffffffffffffffffff 0
	EVAL redis.call('GET',KEYS[1]) 1 greeting
	FUNCTION LOAD #!lua\x20name=lib\nredis.register_function('f',function()return\x201\x20end)
	FCALL f 0
	SELECT 3
	RPUSH list 1 2 3
	SET jobs:1 waiting
	SET jobs:2 waiting EX 1000000
	SELECT 0
	WATCH counter
	MULTI
	INCR counter
	EXEC
	CLIENT SETNAME worker`

// do runs the work, and starts a subscriber.
func (s target) do(t *testing.T) {
	t.Helper()
	escapes := strings.NewReplacer(`\x20`, " ", `\n`, "\n")
	for line := range strings.Lines(strings.TrimSpace(work)) {
		line, fails := strings.CutPrefix(strings.TrimSpace(line), "!")
		words := strings.Fields(line)
		args := redis.Args{}
		for _, word := range words[1:] {
			args = args.Add(escapes.Replace(word))
		}
		_, err := s.conn.Do(words[0], args...)
		require.Equal(t, fails, err != nil, "%s: %v", line, err)
	}
	_, err := s.conn.Do("EVAL", slowScript, 0)
	require.NoError(t, err)
	s.subscribe(t)
}

// subscribe starts a client that is subscribed to channels and a pattern.
func (s target) subscribe(t *testing.T) {
	t.Helper()
	subscriber := s.dial(t)
	_, err := subscriber.Do("CLIENT", "SETNAME", "subscriber")
	require.NoError(t, err)
	for _, words := range []string{"SUBSCRIBE news", "SUBSCRIBE weather", "PSUBSCRIBE n*", "SSUBSCRIBE shard"} {
		command, channel, _ := strings.Cut(words, " ")
		_, err = subscriber.Do(command, channel)
		require.NoError(t, err)
	}
}

// addUser adds a user who may read all keys.
func (s target) addUser(t *testing.T, name, password, rules string) {
	t.Helper()
	args := redis.Args{}.Add("SETUSER", name, "on", ">"+password, "~*", "&*").AddFlat(strings.Fields(rules))
	_, err := s.conn.Do("ACL", args...)
	require.NoError(t, err)
}
