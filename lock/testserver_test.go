package lock_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// testTimeout is how long a test waits for what must happen. Only a failing test waits for so long.
const testTimeout = time.Minute

// testServer is the server of a test, and helpers.
type testServer struct {
	t    *testing.T
	addr string
	srv  *server.Server // nil if it is redis-server
	rdb  *redis.Client  // the test's own client
}

// newTestServer starts minilockd, whose clock the test can advance.
func newTestServer(t *testing.T) *testServer {
	srv := server.StartT(t)
	return wrapTestServer(t, srv.Addr(), srv)
}

func wrapTestServer(t *testing.T, addr string, srv *server.Server) *testServer {
	r := &testServer{t: t, addr: addr, srv: srv}
	r.rdb = r.dial()
	return r
}

// onBoth runs a test on minilockd and on redis-server. Without redis-server it runs on minilockd alone, except in CI.
func onBoth(t *testing.T, test func(*testing.T, *testServer)) {
	t.Run("minilockd", func(t *testing.T) { test(t, newTestServer(t)) })
	if _, err := exec.LookPath("redis-server"); err != nil && os.Getenv("CI") == "" {
		t.Log("no redis-server here")
		return
	}
	t.Run("redis", func(t *testing.T) { test(t, wrapTestServer(t, testenv.StartRedis(t), nil)) })
}

// dial returns a go-redis client that is closed when the test ends.
func (r *testServer) dial() *redis.Client {
	rdb := redis.NewClient(&redis.Options{Addr: r.addr})
	r.t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// client returns a new lock client, as of another process, with the server's clock.
func (r *testServer) client(options ...lock.Option) *lock.Client {
	if r.srv != nil {
		options = append([]lock.Option{lock.WithClock(r.srv.Clock())}, options...)
	}
	c := lock.New(r.dial(), options...)
	r.t.Cleanup(func() { require.NoError(r.t, c.Close()) })
	return c
}

// eventually waits for a condition that another goroutine makes true.
func (r *testServer) eventually(what string, condition func() bool) {
	r.t.Helper()
	require.Eventually(r.t, condition, testTimeout, time.Millisecond, what)
}

// subscribed waits until n clients are subscribed to a channel.
func (r *testServer) subscribed(channel string, n int64) {
	r.t.Helper()
	r.eventually(fmt.Sprintf("%d subscribed to %s", n, channel), func() bool {
		return r.rdb.PubSubNumSub(ctx, channel).Val()[channel] == n
	})
}

// commands returns the number of calls of a command since the last CONFIG RESETSTAT.
func (r *testServer) commands(name string) int {
	r.t.Helper()
	for line := range strings.Lines(r.rdb.Info(ctx, "commandstats").Val()) {
		if rest, ok := strings.CutPrefix(line, "cmdstat_"+name+":calls="); ok {
			var n int
			_, err := fmt.Sscanf(rest, "%d", &n)
			require.NoError(r.t, err)
			return n
		}
	}
	return 0
}

func (r *testServer) resetStats() { require.NoError(r.t, r.rdb.ConfigResetStat(ctx).Err()) }

var ctx = context.Background()

// recorder is an observer that passes on events.
type recorder struct {
	lock.NopObserver
	renewed, lost chan lock.Event
}

func newRecorder() *recorder {
	return &recorder{renewed: make(chan lock.Event, 1000), lost: make(chan lock.Event, 1000)}
}

func (o *recorder) Renewed(_ context.Context, e lock.Event) { o.renewed <- e }
func (o *recorder) Lost(_ context.Context, e lock.Event)    { o.lost <- e }

// next returns the next event, which must come.
func next(t *testing.T, events <-chan lock.Event) lock.Event {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(testTimeout):
		require.Fail(t, "nothing was observed")
		return lock.Event{}
	}
}

// async runs f and sends its result.
func async[T any](f func() T) <-chan T {
	out := make(chan T, 1)
	go func() { out <- f() }()
	return out
}

// await receives a result that must come.
func await[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(testTimeout):
		require.Fail(t, "nothing came")
		panic("unreachable")
	}
}
