package compat

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/server"
)

// TestRecipes_Redisson follows the recipes of docs/testing-locks.md with Redisson. All that the test does to the server
// it does over the wire, as a test in Java would.
func TestRecipes_Redisson(t *testing.T) {
	r := newRecipes(t, startJavaProcess(t, clientVersions[0]))
	rounds := 1
	if testenv.Long() {
		rounds = 3
	}
	for range rounds {
		t.Run("a lease lapses", r.leaseLapses)
		t.Run("a message wakes a waiter", r.wakeWaiter)
		t.Run("the message of an unlock is lost", r.lostMessage)
		t.Run("a restart loses data", r.restart)
		t.Run("the watchdog keeps a lock", r.watchdogKeeps)
		t.Run("the watchdog is starved", r.watchdogStarved)
		t.Run("the reply of an acquire is lost", r.lostAcquire)
		t.Run("the reply of an unlock is lost", r.lostUnlock)
		t.Run("a waiter in a fair queue is dead", r.deadWaiter)
		t.Run("re-entrancy", r.reentrancy)
		t.Run("a lock is leaked", r.leak)
		t.Run("a deadlock of three", r.deadlock)
		t.Run("a partition under a red lock", r.partition)
		t.Run("a slow server", r.slowServer)
		t.Run("fencing", r.fencing)
	}
}

// recipes is a server, a client for what the test sends itself, and Redisson clients.
type recipes struct {
	process *javaProcess
	addr    string
	rdb     *redis.Client
	last    int // number of the last lock or thread
}

func newRecipes(t *testing.T, p *javaProcess) *recipes {
	r := &recipes{process: p, addr: server.StartT(t).Addr()}
	r.rdb = redis.NewClient(&redis.Options{Addr: r.addr})
	t.Cleanup(func() { require.NoError(t, r.rdb.Close()) })
	r.do(t, "LOCK.TRACK", "ON")
	return r
}

// do sends a command, and returns its reply.
func (r *recipes) do(t *testing.T, args ...any) any {
	t.Helper()
	v, err := r.rdb.Do(t.Context(), args...).Result()
	require.NoError(t, err, "%v", args)
	return v
}

// fault adds a rule and returns a function that removes it, which fails the test if the fault has not happened. It is
// called at the end of the test if not before.
func (r *recipes) fault(t *testing.T, args ...any) (remove func()) {
	t.Helper()
	id := r.do(t, append([]any{"FAULT.ADD"}, args...)...)
	remove = sync.OnceFunc(func() {
		hits, err := r.rdb.Do(context.Background(), "FAULT.HITS", id).Int()
		require.NoError(t, err)
		require.Positive(t, hits)
		require.NoError(t, r.rdb.Do(context.Background(), "FAULT.REMOVE", id).Err())
	})
	t.Cleanup(remove)
	return remove
}

// newLock returns a lock that no other test uses.
func (r *recipes) newLock(kind string) lockRef {
	r.last++
	return lockRef{kind, fmt.Sprintf("order:%d", r.last)}
}

// thread returns a new thread with the Redisson client that has the settings.
func (r *recipes) thread(settings string) *javaThread {
	r.last++
	return &javaThread{process: r.process, servers: r.addr + "?" + settings, thread: fmt.Sprint("recipe-", r.last)}
}

// The clients of most tests, as of two processes.
const (
	first  = "name=first"
	second = "name=second"
)

// requireFree requires that a lock is free for a thread, which then holds it, or that it is not.
func requireFree(t *testing.T, j *javaThread, l lockRef, free bool) {
	t.Helper()
	acquired, err := j.tryAcquire(l)
	require.NoError(t, err)
	require.Equal(t, free, acquired)
}

func requireThrows(t *testing.T, class string, err error) {
	t.Helper()
	var thrown *javaError
	require.ErrorAs(t, err, &thrown)
	require.Equal(t, class, thrown.class)
}

func (r *recipes) requireHolds(t *testing.T, j *javaThread, l lockRef, holds string) {
	t.Helper()
	got, err := j.call("holds", l)
	require.NoError(t, err)
	require.Equal(t, holds, got)
}

func (r *recipes) leaseLapses(t *testing.T) {
	l, slow, quick := r.newLock("plain"), r.thread(first), r.thread(second)
	require.NoError(t, slow.acquire(l)) // for 60 s
	requireFree(t, quick, l, false)
	r.do(t, "CLOCK.ADVANCE", longLease.Milliseconds())
	requireFree(t, quick, l, true)
	r.requireHolds(t, slow, l, "0")
	requireThrows(t, "IllegalMonitorStateException", slow.release(l))
}

// A waiter sleeps for the lease in real time, unless a message wakes it.
func (r *recipes) wakeWaiter(t *testing.T) {
	l, holder, waiter := r.newLock("plain"), r.thread(first), r.thread(second)
	require.NoError(t, holder.acquire(l))
	done := start(func() error { return waiter.acquire(l) })
	r.do(t, "CLOCK.ADVANCE", longLease.Milliseconds())
	r.wake(t, l, done)
	require.NoError(t, waiter.release(l))
}

// wake sends the message of an unlock until the waiter subscribes.
func (r *recipes) wake(t *testing.T, l lockRef, done <-chan error) {
	t.Helper()
	r.eventually(t, func() bool {
		return len(done) > 0 || r.do(t, "PUBLISH", "redisson_lock__channel:{"+l.name+"}", 0) == int64(1)
	})
	requireDone(t, done)
}

// The lock is free, and the waiter does not know.
func (r *recipes) lostMessage(t *testing.T) {
	l, holder, waiter := r.newLock("plain"), r.thread(first), r.thread(second)
	require.NoError(t, holder.acquire(l))
	done := start(func() error { return waiter.acquire(l) })
	r.eventually(t, func() bool { return len(r.do(t, "LOCK.WAITERS", l.name).([]any)) == 1 })
	remove := r.fault(t, "CHANNEL", "redisson_lock__channel:{"+l.name+"}", "THEN", "DROP")
	require.NoError(t, holder.release(l))
	remove()
	r.wake(t, l, done)
	require.NoError(t, waiter.release(l))
}

// The holder is not told that its lock is gone.
func (r *recipes) restart(t *testing.T) {
	l, holder, other := r.newLock("plain"), r.thread(first), r.thread(second)
	require.NoError(t, holder.acquire(l))
	requireFree(t, other, l, false)
	r.do(t, "FAULT.RESTART", "LOSE")
	r.eventually(t, func() bool { // until it has connected again
		acquired, err := other.tryAcquire(l)
		return err == nil && acquired
	})
	r.eventually(t, func() bool { return holder.release(l) != nil })
	requireThrows(t, "IllegalMonitorStateException", holder.release(l))
}

// renewing is a client that renews its locks every 100 ms of real time. As the server's clock stands still meanwhile,
// no lock lapses on a slow machine.
const renewing = "name=renewing&watchdog=300"

func (r *recipes) watchdogKeeps(t *testing.T) {
	l, holder, other := r.newLock("plain"), r.thread(renewing), r.thread(second)
	r.do(t, "CLOCK.FREEZE")
	defer r.do(t, "CLOCK.RESUME")
	_, err := holder.call("lock", l)
	require.NoError(t, err)
	for range 3 {
		r.do(t, "CLOCK.ADVANCE", 200)
		r.eventually(t, func() bool { return r.do(t, "PTTL", l.name) == int64(300) })
	}
	requireFree(t, other, l, false)
	_, err = holder.call("unlock", l)
	require.NoError(t, err)
}

func (r *recipes) watchdogStarved(t *testing.T) {
	l, holder, other := r.newLock("plain"), r.thread(renewing), r.thread(second)
	r.do(t, "CLOCK.FREEZE")
	defer r.do(t, "CLOCK.RESUME")
	_, err := holder.call("lock", l)
	require.NoError(t, err)
	r.fault(t, "COMMAND", "@scripting", "KEY", l.name, "CLIENT", "renewing", "THEN", "ERROR", "ERR swallowed")
	r.do(t, "CLOCK.ADVANCE", 300)
	requireFree(t, other, l, true)
	r.eventually(t, func() bool { return r.hits(t) > 0 })
}

// hits returns how often the fault of the only rule has happened.
func (r *recipes) hits(t *testing.T) int64 {
	list := r.do(t, "FAULT.LIST").([]any)
	return list[0].(map[any]any)["hits"].(int64)
}

func (r *recipes) eventually(t *testing.T, happened func() bool) {
	t.Helper()
	require.Eventually(t, happened, messageTimeout, time.Millisecond)
}

// impatient is a client that waits a second for a reply, instead of three seconds and several attempts.
const impatient = "name=impatient&timeout=1000&retries=0"

// The thread that gets an exception holds the lock all the same.
func (r *recipes) lostAcquire(t *testing.T) {
	l, j := r.newLock("plain"), r.thread(impatient)
	require.NoError(t, j.acquire(l))
	require.NoError(t, j.release(l)) // now the server knows the scripts
	r.fault(t, "COMMAND", "evalsha", "KEY", l.name, "NTH", 1, "THEN", "LOSEREPLY")
	requireThrows(t, "RedisResponseTimeoutException", j.acquire(l))
	requireFree(t, r.thread(second), l, false)
	r.requireHolds(t, j, l, "1")
	require.NoError(t, j.release(l))
}

// The unlock that fails has released the lock.
func (r *recipes) lostUnlock(t *testing.T) {
	l, j := r.newLock("plain"), r.thread(impatient)
	require.NoError(t, j.acquire(l))
	require.NoError(t, j.release(l))
	require.NoError(t, j.acquire(l))
	r.fault(t, "COMMAND", "evalsha", "KEY", l.name, "NTH", 1, "THEN", "LOSEREPLY")
	requireThrows(t, "RedisResponseTimeoutException", j.release(l))
	requireFree(t, r.thread(second), l, true)
	requireThrows(t, "IllegalMonitorStateException", j.release(l))
}

// The deadlines in the queue are times of the machines of the clients, which CLOCK.SET does not change.
func (r *recipes) deadWaiter(t *testing.T) {
	l, holder, other := r.newLock("fair"), r.thread(first), r.thread(second)
	dead := r.thread("name=dead")
	require.NoError(t, holder.acquire(l))
	ended := start(func() error { return dead.acquire(l) })
	r.eventually(t, func() bool { return len(r.do(t, "LOCK.WAITERS", l.name).([]any)) == 1 })
	r.fault(t, "CLIENT", "dead", "THEN", "CLOSE")
	require.NoError(t, holder.release(l))
	r.eventually(t, func() bool { return r.hits(t) > 0 })
	requireFree(t, other, l, false)
	waiter := r.do(t, "LOCK.WAITERS", l.name).([]any)[0].(map[any]any)
	r.do(t, "ZADD", "redisson_lock_timeout:{"+l.name+"}", 0, waiter["owner"])
	requireFree(t, other, l, true)
	require.Empty(t, ended)
	require.NoError(t, other.release(l))
}

func (r *recipes) reentrancy(t *testing.T) {
	l, j, sameProcess, other := r.newLock("plain"), r.thread(first), r.thread(first), r.thread(second)
	require.NoError(t, j.acquire(l))
	require.NoError(t, j.acquire(l))
	r.requireHolds(t, j, l, "2")
	requireFree(t, sameProcess, l, false)
	require.NoError(t, j.release(l))
	requireFree(t, other, l, false)
	require.NoError(t, j.release(l))
	requireFree(t, other, l, true)
}

func (r *recipes) leak(t *testing.T) {
	l, j := r.newLock("plain"), r.thread(first)
	require.NoError(t, j.acquire(l))
	held := r.do(t, "LOCK.HELD", l.name).([]any)
	require.Len(t, held, 1)
	holder := held[0].(map[any]any)["holders"].([]any)[0].(map[any]any)
	require.Equal(t, "first", holder["client-name"].(string))
	require.NotZero(t, holder["since"])
	require.NoError(t, j.release(l))
	require.Empty(t, r.do(t, "LOCK.HELD", l.name))
}

func (r *recipes) deadlock(t *testing.T) {
	var locks []lockRef
	var threads []*javaThread
	for range 3 {
		locks, threads = append(locks, r.newLock("plain")), append(threads, r.thread(first))
	}
	for i, j := range threads {
		require.NoError(t, j.acquire(locks[i]))
	}
	var done []<-chan error
	for i, j := range threads {
		done = append(done, start(func() error { return j.acquire(locks[(i+1)%3]) }))
	}
	r.eventually(t, func() bool {
		cycles := r.do(t, "LOCK.DEADLOCKS").([]any)
		return len(cycles) == 1 && len(cycles[0].([]any)) == 3
	})
	_, err := r.thread(second).call("force-unlock", locks[0])
	require.NoError(t, err)
	for _, i := range []int{2, 1, 0} {
		requireDone(t, done[i])
		require.NoError(t, threads[i].release(locks[(i+1)%3]))
		if i > 0 {
			require.NoError(t, threads[i].release(locks[i]))
		}
	}
	require.Empty(t, r.do(t, "LOCK.DEADLOCKS"))
}

// With a minority cut off a red lock goes on; with the majority cut off nobody gets it.
func (r *recipes) partition(t *testing.T) {
	servers := server.StartN(t, 3)
	do := func(i int, command string) { require.NoError(t, servers[i].Do(t.Context(), command).Err()) }
	l := lockRef{"red", "order"}
	worker, other := r.groupThread(servers, "worker"), r.groupThread(servers, "other")
	for _, j := range []*javaThread{worker, other} { // both connect
		require.NoError(t, j.acquire(l))
		require.NoError(t, j.release(l))
	}
	do(0, "FAULT.PARTITION")
	require.NoError(t, worker.acquire(l))
	requireFree(t, other, l, false)
	require.NoError(t, worker.release(l))

	do(1, "FAULT.PARTITION")
	requireFree(t, worker, l, false)

	for i := range 2 { // what the clients have sent arrives now, too late
		do(i, "FAULT.HEAL")
	}
	require.NoError(t, other.acquire(l))
	require.NoError(t, other.release(l))
}

// groupThread returns a new thread with a Redisson client for each server, which does not wait long for a reply.
func (r *recipes) groupThread(servers []*server.Server, name string) *javaThread {
	var clients []string
	for _, srv := range servers {
		clients = append(clients, srv.Addr()+"?timeout=500&retries=0&name="+name)
	}
	return &javaThread{process: r.process, servers: strings.Join(clients, ","), thread: name}
}

// The call of a client that has given up runs later.
func (r *recipes) slowServer(t *testing.T) {
	l, slow, other := r.newLock("plain"), r.thread(impatient), r.thread(second)
	require.NoError(t, other.acquire(l))
	require.NoError(t, other.release(l))
	remove := r.fault(t, "COMMAND", "evalsha", "KEY", l.name, "CLIENT", "impatient", "THEN", "HANG")
	requireThrows(t, "RedisResponseTimeoutException", slow.acquire(l))
	require.Empty(t, r.do(t, "LOCK.HELD", l.name))
	remove()
	r.eventually(t, func() bool { return len(r.do(t, "LOCK.HELD", l.name).([]any)) == 1 })
	requireFree(t, other, l, false)
	r.do(t, "CLOCK.ADVANCE", longLease.Milliseconds())
	requireFree(t, other, l, true)
}

func (r *recipes) fencing(t *testing.T) {
	l, paused, next := r.newLock("fenced"), r.thread(first), r.thread(second)
	require.NoError(t, paused.acquire(l))
	r.do(t, "CLOCK.ADVANCE", longLease.Milliseconds())
	require.NoError(t, next.acquire(l))
	require.Equal(t, "1 2", paused.token+" "+next.token)
	requireThrows(t, "IllegalMonitorStateException", paused.release(l))
}
