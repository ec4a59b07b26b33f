package compat

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// What Redisson makes of each fault. Each row is a server and a Redisson client of its own, which has used a lock
// before, so that its connections and the scripts are there. Then the rule is added, and the client acquires the lock
// "L", or releases it.
//
// Redisson repeats a call after a timeout of 3 s, and after a connection has failed, by default four times.
var redissonReactions = []struct {
	rule   string // as in FAULT.ADD
	call   string
	result string // of the call: "ok", or the class of the exception
	holds  string // how often the lock is held then
	hits   int64
}{
	{"KEY L TIMES 1 THEN ERROR LOADING", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR BUSY", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR READONLY", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR OOM", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR MASTERDOWN", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR CLUSTERDOWN", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR TRYAGAIN", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ERROR 'ERR no'", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN MOVED 127.0.0.1:1", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN ASK 127.0.0.1:1", "acquire", "ok", "1", 1},
	{"SCRIPTED COMMAND pexpire TIMES 1 THEN ERROR 'ERR no'", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN DELAY 100", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN HANG", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN CLOSE", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN LOSEREPLY", "acquire", "ok", "2", 1},
	{"KEY L TIMES 1 THEN CUTREPLY 1", "acquire", "ok", "2", 1},
	{"KEY L TIMES 1 THEN TWICE", "acquire", "ok", "2", 1},
	{"KEY L TIMES 1 THEN STOPREADING", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN THROTTLE 100", "acquire", "ok", "1", 1},
	{"KEY L TIMES 1 THEN CLOSE", "release", "ok", "0", 1},
	{"KEY L TIMES 1 THEN LOSEREPLY", "release", "ok", "0", 1},
	{"KEY L TIMES 1 THEN TWICE", "release", "ok", "0", 1},
	{"CHANNEL * TIMES 1 THEN DROP", "release", "ok", "0", 1},
	{"CHANNEL * TIMES 1 THEN DELAY 100", "release", "ok", "0", 1},
}

func TestFaults_Redisson(t *testing.T) {
	p := startJavaProcess(t, clientVersions[0])
	for _, row := range redissonReactions {
		t.Run(row.call+" "+row.rule, func(t *testing.T) {
			t.Parallel()
			r := newRedissonTest(t, p)
			if row.call == "release" {
				require.NoError(t, r.java.acquire(theLock))
			}
			id := r.add(t, row.rule)
			start := time.Now()
			result := r.do(row.call)
			hits, _ := r.srv.Faults().Hits(id)
			t.Logf("%s: %s %s %d in %.1f s", row.rule, result, r.holds(t), hits, time.Since(start).Seconds())
		})
	}
}

// redissonTest is a server and a Redisson client that has used a lock.
type redissonTest struct {
	srv  *server.Server
	rdb  *redis.Client
	java *javaThread
}

// theLock is the lock of these tests.
var theLock = lockRef{"plain", "L"}

func newRedissonTest(t *testing.T, p *javaProcess) *redissonTest {
	t.Helper()
	srv := server.StartT(t)
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	t.Cleanup(func() { require.NoError(t, rdb.Close()) })
	r := &redissonTest{srv, rdb, &javaThread{process: p, servers: srv.Addr(), thread: t.Name()}}
	r.java.thread = strings.ReplaceAll(r.java.thread, " ", "_")
	other := lockRef{"plain", "other"}
	require.NoError(t, r.java.acquire(other))
	require.NoError(t, r.java.release(other))
	return r
}

// add adds a rule in the syntax of FAULT.ADD.
func (r *redissonTest) add(t *testing.T, line string) (id int64) {
	t.Helper()
	lines, err := fault.ParseFile(strings.NewReader(line))
	require.NoError(t, err)
	return r.srv.Faults().Add(lines[0].Rule)
}

// do acquires or releases the lock and returns what became of it.
func (r *redissonTest) do(call string) string {
	err := r.java.acquire
	if call == "release" {
		err = r.java.release
	}
	var thrown *javaError
	switch failed := err(theLock); {
	case errors.As(failed, &thrown):
		return thrown.class + ": " + thrown.message
	case failed != nil:
		return failed.Error()
	}
	return "ok"
}

// holds returns how often the lock is held.
func (r *redissonTest) holds(t *testing.T) string {
	t.Helper()
	counts, err := r.rdb.HVals(t.Context(), theLock.name).Result()
	require.NoError(t, err)
	return fmt.Sprint(counts)
}
