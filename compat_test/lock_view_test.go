package compat

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/server"
)

// TestLockView takes each kind of lock with package lock and with Redisson, and reads it: on minilockd by Server.Locks,
// on minilockd and redis-server by what "minilockd locks" reads with.
func TestLockView(t *testing.T) {
	eachVersion(t, func(t *testing.T, p *javaProcess, version string) {
		srv := server.StartT(t)
		srv.Locks().Track(10_000)
		v := &lockViewTest{interopTest: newInteropTest(t, p, version, srv.Addr()), srv: srv}
		v.test(t)
	}, func(t *testing.T, p *javaProcess, version string) {
		v := &lockViewTest{interopTest: newInteropTest(t, p, version, startRedis(t))}
		v.test(t)
	})
}

// lockViewTest is one server; srv is nil for redis-server.
type lockViewTest struct {
	*interopTest
	srv *server.Server
}

// viewCase is what is to be seen of a kind of lock. The data of redis-server alone does not tell all of it.
type viewCase struct {
	kind    string // of lockRef
	want    locks.Kind
	mode    string
	waiters bool       // others wait by a subscription or a queue
	alone   locks.Kind // what redis-server tells while nobody waits, "" for nothing; as want if it is "="
}

var viewCases = []viewCase{
	{"plain", locks.Plain, "", true, "="},
	{"fair", locks.Fair, "", true, locks.Plain},
	{"read", locks.ReadWrite, "read", false, "="},
	{"write", locks.ReadWrite, "write", true, "="},
	{"spin", locks.Plain, "", false, "="},
	{"fenced", locks.Fenced, "", true, "="},
	{"semaphore", locks.Semaphore, "", true, ""},
	{"permits", locks.Permits, "", true, "="},
}

func (v *lockViewTest) test(t *testing.T) {
	for _, c := range viewCases {
		if !v.has(c.kind) {
			continue
		}
		t.Run(c.kind, func(t *testing.T) {
			t.Run("Go holds", func(t *testing.T) { v.testKind(t, c, v.newGoThread(), v.java(1)) })
			t.Run("Java holds", func(t *testing.T) { v.testKind(t, c, v.java(1), v.newGoThread()) })
		})
	}
	t.Run("multi", v.testMulti)
	t.Run("latch", v.testLatchView)
	if v.has("rate") {
		t.Run("rate", v.testRate)
	}
}

// views returns a lock as each way to read it on this server shows it.
func (v *lockViewTest) views(t *testing.T, name string) (views []locks.Lock) {
	redis, err := lockview.Dial(t.Context(), "redis://"+v.servers[0])
	require.NoError(t, err)
	defer redis.Close()
	if v.srv == nil {
		l, _, err := lockview.ReadOne(t.Context(), redis, name, nil)
		require.NoError(t, err)
		return []locks.Lock{l, only(t, must(lockview.Read(t.Context(), redis, name, nil)))}
	}
	l, _ := v.srv.Locks().Get(name)
	return []locks.Lock{l, only(t, v.srv.Locks().List(name))}
}

// only returns the lock of a list that has no more than one.
func only(t *testing.T, list []locks.Lock) (l locks.Lock) {
	require.True(t, len(list) <= 1, "%v", list)
	if len(list) == 1 {
		l = list[0]
	}
	return l
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var ownerPattern = regexp.MustCompile(`^[0-9a-f-]{36}:\d+$`)

func (v *lockViewTest) testKind(t *testing.T, c viewCase, holder, waiter lockThread) {
	p := v.newLock(t, c.kind)
	require.NoError(t, holder.acquire(p))
	want := c.want
	if v.srv == nil && c.alone != "=" {
		want = c.alone
	}
	for _, l := range v.views(t, p.name) {
		require.Equal(t, want, l.Kind)
		require.Equal(t, c.mode, l.Mode)
		require.Empty(t, l.Waiters)
		v.requireHolder(t, c, l)
	}
	if c.waiters {
		before := v.scripts(t)
		done := start(func() error { return waiter.acquire(p) })
		v.awaitScripts(t, before+2)
		for _, l := range v.views(t, p.name) {
			require.Equal(t, c.want, l.Kind, "while one waits")
			require.Equal(t, 1, len(l.Waiters))
			if v.srv != nil && c.want != locks.Semaphore && c.want != locks.Permits {
				require.True(t, ownerPattern.MatchString(l.Waiters[0].Owner), l.Waiters[0].Owner)
				require.NotEqual(t, l.Holders[0].Owner, l.Waiters[0].Owner)
			}
		}
		require.NoError(t, holder.release(p))
		require.NoError(t, v.awaitWithWakeups(t, p, done))
		holder = waiter
	}
	require.NoError(t, holder.release(p))
	if v.srv != nil {
		v.requireHistory(t, c, p.name)
	}
}

// requireHolder checks the holder, as far as the kind of lock knows one.
func (v *lockViewTest) requireHolder(t *testing.T, c viewCase, l locks.Lock) {
	switch l.Kind {
	case locks.Semaphore:
		require.Equal(t, int64(0), l.Number)
		require.Empty(t, l.Holders)
		return
	case "":
		return
	case locks.Fenced:
		require.Equal(t, int64(1), l.Number)
	case locks.Permits:
		require.Equal(t, int64(0), l.Number)
		require.Equal(t, 32, len(l.Holders[0].Owner))
	default:
		require.True(t, ownerPattern.MatchString(l.Holders[0].Owner), l.Holders[0].Owner)
	}
	require.Equal(t, 1, len(l.Holders))
	h := l.Holders[0]
	require.Equal(t, int64(1), h.Holds)
	require.Equal(t, c.kind == "write", h.Write)
	require.True(t, h.Lease > 0 && h.Lease <= longLease, h.Lease)
	require.True(t, l.Lease > 0 && l.Lease <= longLease, l.Lease)
	if v.srv != nil { // another server's keys are read one after the other
		require.Equal(t, h.Lease, l.Lease)
	}
	require.Equal(t, v.srv != nil, h.Client.ID != 0)
	require.Equal(t, v.srv != nil, !h.Since.IsZero())
}

// requireHistory checks what has happened: everyone has taken the lock and released it.
func (v *lockViewTest) requireHistory(t *testing.T, c viewCase, name string) {
	var types []string
	for _, e := range v.srv.Locks().History(name) {
		require.Equal(t, c.want, e.Kind)
		require.NotEqual(t, int64(0), e.Client.ID)
		require.Equal(t, c.want == locks.Semaphore, e.Owner == "")
		types = append(types, string(e.Type))
	}
	want := "taken released"
	if c.waiters {
		want += " taken released"
	}
	// Redisson's write lock may need an unlock of a further client to be woken
	got := strings.Join(slices.DeleteFunc(types, func(s string) bool { return s == "renewed" }), " ")
	require.True(t, got == want || c.kind == "write" && strings.HasPrefix(got, want), got)
}

// A multi lock is a lock on each of its members.
func (v *lockViewTest) testMulti(t *testing.T) {
	for _, holder := range []lockThread{v.newGoThread(), v.java(1)} {
		p := v.newLock(t, "multi")
		require.NoError(t, holder.acquire(p))
		for _, member := range []string{p.name + ":1", p.name + ":2"} {
			for _, l := range v.views(t, member) {
				v.requireHolder(t, viewCase{kind: "multi"}, l)
			}
		}
		require.NoError(t, holder.release(p))
	}
}

func (v *lockViewTest) testLatchView(t *testing.T) {
	p := v.newLock(t, "latch")
	l := v.locks.Latch(p.name)
	require.True(t, must(l.TrySetCount(t.Context(), 2)))
	waiters := v.awaiting(t, p, l)
	for _, seen := range v.views(t, p.name) {
		require.Equal(t, locks.Latch, seen.Kind)
		require.Equal(t, int64(2), seen.Number)
		require.Equal(t, 2, len(seen.Waiters)) // one connection of each language
	}
	_, err := v.java(0).call("count-down", p)
	require.NoError(t, err)
	require.NoError(t, l.CountDown(t.Context()))
	for _, w := range waiters {
		requireDone(t, w)
	}
	for _, seen := range v.views(t, p.name) {
		require.Equal(t, locks.Kind(""), seen.Kind)
	}
}

func (v *lockViewTest) testRate(t *testing.T) {
	p := v.newLock(t, "rate")
	set, err := v.java(1).call("set-rate", p, "5")
	require.NoError(t, err)
	require.Equal(t, "true", set)
	require.NoError(t, v.locks.RateLimiter(p.name).TryAcquire(t.Context(), 2))
	for _, seen := range v.views(t, p.name) {
		require.Equal(t, locks.RateLimiter, seen.Kind)
		require.Equal(t, int64(3), seen.Number)
	}
}
