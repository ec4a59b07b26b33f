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
// before, so that its connections and the scripts are there; for "connect" it has not. Then the rule is added, and the
// client acquires the lock "L", or releases it.
//
// Redisson repeats a call after an error that it takes for a passing one. It does not repeat the script of a lock whose
// reply does not come: after 3 s the caller gets an exception, whether or not the lock is held.
var redissonReactions = []struct {
	rule   string // as in FAULT.ADD
	call   string
	result string // of the call: "ok", or the class of the exception
	holds  string // how often the lock is held then, by each holder
}{
	{"KEY L TIMES 1 THEN ERROR LOADING", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN ERROR BUSY", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN ERROR READONLY", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN ERROR OOM", "acquire", "RedisOutOfMemoryException", "[]"},
	{"KEY L TIMES 1 THEN ERROR MASTERDOWN", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN ERROR CLUSTERDOWN", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN ERROR TRYAGAIN", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN ERROR 'ERR no'", "acquire", "RedisException", "[]"},
	{"KEY L TIMES 1 THEN MOVED 127.0.0.1:1", "acquire", "ok", "[1]"}, // it knows one server only
	{"KEY L TIMES 1 THEN ASK 127.0.0.1:1", "acquire", "ok", "[1]"},
	// The lock is held, and has no lease.
	{"SCRIPTED COMMAND pexpire TIMES 1 THEN ERROR 'ERR no'", "acquire", "RedisException", "[1]"},
	{"KEY L TIMES 1 THEN DELAY 100", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN HANG", "acquire", "RedisResponseTimeoutException", "[]"},
	{"KEY L TIMES 1 THEN CLOSE", "acquire", "RedisResponseTimeoutException", "[]"},
	{"KEY L TIMES 1 THEN LOSEREPLY", "acquire", "RedisResponseTimeoutException", "[1]"},
	{"KEY L TIMES 1 THEN CUTREPLY 1", "acquire", "RedisResponseTimeoutException", "[1]"},
	{"KEY L TIMES 1 THEN TWICE", "acquire", "ok", "[2]"}, // one release is not enough
	{"KEY L TIMES 1 THEN STOPREADING", "acquire", "ok", "[1]"},
	{"KEY L TIMES 1 THEN THROTTLE 100", "acquire", "ok", "[1]"},

	{"KEY L TIMES 1 THEN ERROR LOADING", "release", "ok", "[]"},
	{"KEY L TIMES 1 THEN CLOSE", "release", "RedisResponseTimeoutException", "[1]"},
	{"KEY L TIMES 1 THEN LOSEREPLY", "release", "RedisResponseTimeoutException", "[]"},
	{"KEY L TIMES 1 THEN TWICE", "release", "ok", "[]"},
	{"CHANNEL * TIMES 1 THEN DROP", "release", "ok", "[]"},
	{"CHANNEL * TIMES 1 THEN DELAY 100", "release", "ok", "[]"},

	// It tries again, with another connection.
	{"CONNECT TIMES 1 THEN REFUSE", "connect", "ok", "[]"},
	{"CONNECT TIMES 1 THEN SILENT", "connect", "ok", "[]"},
	{"CONNECT TIMES 1 THEN STOPREADING", "connect", "ok", "[]"},
	{"CONNECT TIMES 1 THEN THROTTLE 1000", "connect", "ok", "[]"},
	{"CONNECT THEN REFUSE", "connect", "RedisConnectionException", "[]"},
}

// TestFaults_Redisson shows the reactions of Redisson, in a JVM.
func TestFaults_Redisson(t *testing.T) {
	p := startJavaProcess(t, clientVersions[0])
	for _, row := range redissonReactions {
		t.Run(row.call+" "+row.rule, func(t *testing.T) {
			t.Parallel()
			r := newRedissonTest(t, p)
			if row.call != "connect" {
				r.warmUp(t)
			}
			if row.call == "release" {
				require.NoError(t, r.java.acquire(theLock))
			}
			id := r.add(t, row.rule)
			require.Equal(t, row.result, r.do(row.call))
			require.Equal(t, row.holds, r.holds(t))
			hits, _ := r.srv.Faults().Hits(id)
			require.Positive(t, hits)
		})
	}
	t.Run("a dropped message", func(t *testing.T) { newRedissonTest(t, p).testDroppedMessage(t) })
	t.Run("a delayed message", func(t *testing.T) { newRedissonTest(t, p).testDelayedMessage(t) })
	t.Run("a partition", func(t *testing.T) { newRedissonTest(t, p).testPartition(t) })
	for kept, result := range map[string]string{"KEEP": "ok", "LOSE": "IllegalMonitorStateException"} {
		t.Run("a restart, "+kept, func(t *testing.T) { newRedissonTest(t, p).testRestart(t, kept, result) })
	}
}

// testDroppedMessage: a waiter that misses the message of the release wakes by itself when the lease is over that it
// was told.
func (r *redissonTest) testDroppedMessage(t *testing.T) {
	done := r.startWaiting(t, 2*time.Second)
	drop := r.add(t, "CHANNEL redisson_lock__channel:{L} THEN DROP")
	r.releaseAsOther(t)
	requireDone(t, done)
	hits, _ := r.srv.Faults().Hits(drop)
	require.EqualValues(t, 1, hits)
	require.Equal(t, "[1]", r.holds(t))
}

// testDelayedMessage: a waiter wakes when the delayed message comes, long before the end of the lease.
func (r *redissonTest) testDelayedMessage(t *testing.T) {
	done := r.startWaiting(t, longLease)
	r.add(t, "CHANNEL redisson_lock__channel:{L} TIMES 1 THEN DELAY 3600000")
	r.releaseAsOther(t)
	r.srv.Advance(time.Hour)
	requireDone(t, done)
	require.Equal(t, "[1]", r.holds(t))
}

// testPartition: the caller gets an exception, and when the partition is over it holds the lock all the same: its call
// was under way.
func (r *redissonTest) testPartition(t *testing.T) {
	r.warmUp(t)
	r.srv.Partition()
	require.Equal(t, "RedisResponseTimeoutException", r.do("acquire"))
	r.srv.Heal()
	require.Eventually(t, func() bool { return r.holds(t) == "[1]" }, messageTimeout, time.Millisecond)
}

// testRestart: Redisson connects again and loads its scripts. If the data is lost, so is the lock, and the holder gets
// to know it when it releases it.
func (r *redissonTest) testRestart(t *testing.T, kept, result string) {
	r.warmUp(t)
	require.NoError(t, r.java.acquire(theLock))
	before := r.clients(t)
	require.NoError(t, r.rdb.Do(t.Context(), "FAULT.RESTART", kept).Err())
	require.Eventually(t, func() bool { return r.clients(t) == before }, messageTimeout, time.Millisecond, "reconnected")
	require.Equal(t, result, r.do("release"))
	require.Equal(t, "[]", r.holds(t))
}

// clients returns the number of connections.
func (r *redissonTest) clients(t *testing.T) int {
	t.Helper()
	list, err := r.rdb.ClientList(t.Context()).Result()
	require.NoError(t, err)
	return strings.Count(list, "\n")
}

// startWaiting lets another client hold the lock for a lease, and the Redisson client wait for it.
func (r *redissonTest) startWaiting(t *testing.T, lease time.Duration) <-chan error {
	t.Helper()
	r.warmUp(t)
	require.NoError(t, r.rdb.HSet(t.Context(), theLock.name, "other:1", 1).Err())
	require.NoError(t, r.rdb.PExpire(t.Context(), theLock.name, lease).Err())
	attempts := r.srv.Faults().Add(fault.Rule{Command: "evalsha", Key: theLock.name, Nth: 1 << 30, Action: fault.Hang()})
	done := start(func() error { return r.java.acquire(theLock) })
	require.Eventually(t, func() bool { // it tries, subscribes, and tries once more
		list := r.srv.Faults().List()
		return list[0].ID == attempts && list[0].Fitting >= 2
	}, messageTimeout, time.Millisecond, "no waiter")
	return done
}

// releaseAsOther does what the release of a Redisson lock does.
func (r *redissonTest) releaseAsOther(t *testing.T) {
	t.Helper()
	require.NoError(t, r.rdb.Del(t.Context(), theLock.name).Err())
	require.EqualValues(t, 1, r.rdb.Publish(t.Context(), "redisson_lock__channel:{"+theLock.name+"}", "0").Val())
}

// redissonTest is a server and a Redisson client.
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
	require.NoError(t, rdb.Ping(t.Context()).Err()) // so that it is connected before there are rules
	thread := strings.ReplaceAll(t.Name(), " ", "_")
	return &redissonTest{srv, rdb, &javaThread{process: p, servers: srv.Addr(), thread: thread}}
}

// warmUp makes the client use a lock.
func (r *redissonTest) warmUp(t *testing.T) {
	t.Helper()
	other := lockRef{"plain", "other"}
	require.NoError(t, r.java.acquire(other))
	require.NoError(t, r.java.release(other))
}

// add adds a rule in the syntax of FAULT.ADD.
func (r *redissonTest) add(t *testing.T, line string) (id int64) {
	t.Helper()
	lines, err := fault.ParseFile(strings.NewReader(line))
	require.NoError(t, err)
	return r.srv.Faults().Add(lines[0].Rule)
}

// do connects, acquires the lock or releases it, and returns "ok" or the class of the exception.
func (r *redissonTest) do(call string) string {
	calls := map[string]func(lockRef) error{"acquire": r.java.acquire, "release": r.java.release,
		"connect": func(p lockRef) error {
			_, err := r.java.call("connect", p)
			return err
		}}
	var thrown *javaError
	switch err := calls[call](theLock); {
	case errors.As(err, &thrown):
		return thrown.class
	case err != nil:
		return err.Error()
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
