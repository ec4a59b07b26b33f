package lock_test

// The recipes of docs/testing-locks.md. They use only what a test outside of this repository can: compat_test checks
// that the page has them word for word.

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// newLocks returns a lock client with connections of its own, as another process has. Its timers follow the clock of
// the server, and the server shows it under the name.
func newLocks(t *testing.T, srv *server.Server, name string) *lock.Client {
	return connect(t, srv, name, lock.WithClock(srv.Clock()))
}

// pausedLocks returns a lock client that does not notice that the clock moves, as a process that is paused or dead.
func pausedLocks(t *testing.T, srv *server.Server, name string) *lock.Client {
	return connect(t, srv, name)
}

func connect(t *testing.T, srv *server.Server, name string, options ...lock.Option) *lock.Client {
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr(), ClientName: name})
	locks := lock.New(rdb, options...)
	t.Cleanup(func() {
		locks.Close()
		rdb.Close()
	})
	return locks
}

// waiting calls Lock, and returns when the server shows one more owner that waits: the server must have lock history.
// The handle comes over the channel.
func waiting(t *testing.T, srv *server.Server, l lock.Locker) <-chan *lock.Handle {
	t.Helper()
	waiters := func() (n int) {
		seen, _ := srv.Locks().Get(l.Name())
		for _, w := range seen.Waiters {
			if w.Owner != "" {
				n++
			}
		}
		return n
	}
	before := waiters()
	taken := make(chan *lock.Handle, 1)
	go func() {
		h, _ := l.Lock(t.Context())
		taken <- h
	}()
	eventually(t, func() bool { return waiters() > before })
	return taken
}

// eventually waits for what a client does by itself. Only a test that fails waits for a minute.
func eventually(t *testing.T, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it has not happened")
		}
	}
}

// check fails the test if there is an error.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError fails the test unless the error is the wanted one.
func wantError(t *testing.T, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Fatalf("the error is %v, not %v", err, wanted)
	}
}

// wantHit fails the test if a fault has not happened: then the test has tested nothing.
func wantHit(t *testing.T, srv *server.Server, rule int64) {
	t.Helper()
	if hits, _ := srv.Faults().Hits(rule); hits == 0 {
		t.Fatal("the fault has not happened")
	}
}

func TestRecipe_LeaseLapses(t *testing.T) {
	srv := server.StartT(t)
	slow, quick := newLocks(t, srv, "slow"), newLocks(t, srv, "quick")
	h, err := slow.Mutex("order:42").Lock(t.Context(), lock.Lease(30*time.Second))
	check(t, err)
	_, err = quick.Mutex("order:42").TryLock(t.Context())
	wantError(t, err, lock.ErrTaken)

	srv.Advance(30 * time.Second)

	<-h.Context().Done() // the work under the lock is told to end
	_, err = quick.Mutex("order:42").TryLock(t.Context())
	check(t, err)
	wantError(t, h.Unlock(t.Context()), lock.ErrLost)
}

func TestRecipe_WatchdogStarved(t *testing.T) {
	srv := server.StartT(t)
	starved, other := newLocks(t, srv, "starved"), newLocks(t, srv, "other")
	h, err := starved.Mutex("order:42").Lock(t.Context()) // without a lease: the watchdog renews it
	check(t, err)
	srv.Advance(time.Hour)
	_, err = other.Mutex("order:42").TryLock(t.Context())
	wantError(t, err, lock.ErrTaken)

	renewals := srv.Faults().Add(fault.Rule{Command: "@scripting", Key: "order:42", Client: "starved",
		Action: fault.Error("OOM")})
	srv.Advance(30 * time.Second)

	wantHit(t, srv, renewals)
	<-h.Context().Done()
	_, err = other.Mutex("order:42").TryLock(t.Context())
	check(t, err)
}

func TestRecipe_LostReplyOfAcquire(t *testing.T) {
	srv := server.StartT(t)
	m := newLocks(t, srv, "worker").Mutex("order:42")
	check(t, m.Do(t.Context(), func(context.Context) error { return nil })) // the server knows the scripts from now on

	lost := srv.Faults().Add(fault.Rule{Command: "evalsha", Key: "order:42", Nth: 1, Action: fault.LoseReply()})
	h, err := m.Lock(t.Context())
	check(t, err)

	wantHit(t, srv, lost)
	if seen, _ := srv.Locks().Get("order:42"); seen.Holders[0].Holds != 1 {
		t.Fatal("the call was sent again, and counted twice")
	}
	check(t, h.Unlock(t.Context()))
	if held := srv.Locks().Held(); len(held) != 0 {
		t.Fatal(held)
	}
}

func TestRecipe_LostReplyOfUnlock(t *testing.T) {
	srv := server.StartT(t)
	m := newLocks(t, srv, "worker").Mutex("order:42")
	check(t, m.Do(t.Context(), func(context.Context) error { return nil }))
	h, err := m.Lock(t.Context())
	check(t, err)

	lost := srv.Faults().Add(fault.Rule{Command: "evalsha", Key: "order:42", Nth: 1, Action: fault.LoseReply()})
	check(t, h.Unlock(t.Context())) // not an error: the lock was released, and the client finds that out

	wantHit(t, srv, lost)
	if held := srv.Locks().Held(); len(held) != 0 {
		t.Fatal(held)
	}
}

func TestRecipe_FairQueueWithDeadWaiter(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(1000)
	h, err := newLocks(t, srv, "holder").FairMutex("printer").Lock(t.Context())
	check(t, err)
	waiting(t, srv, pausedLocks(t, srv, "dead").FairMutex("printer"))
	next := waiting(t, srv, newLocks(t, srv, "next").FairMutex("printer"))

	// From now on nothing that the first waiter sends arrives.
	srv.Faults().Add(fault.Rule{Client: "dead", Action: fault.Close()})
	defer srv.Faults().Clear() // otherwise its client would try for long to leave the queue
	check(t, h.Unlock(t.Context()))
	if len(next) > 0 {
		t.Fatal("the dead waiter was to be the next")
	}

	srv.Advance(6 * time.Minute) // its place lapses 5 minutes after the lease of the holder

	if h := <-next; h == nil {
		t.Fatal("the other waiter did not get the lock")
	}
}

func TestRecipe_Reentrancy(t *testing.T) {
	srv := server.StartT(t)
	m, other := newLocks(t, srv, "worker").Mutex("order:42"), newLocks(t, srv, "other").Mutex("order:42")
	outer, err := m.Lock(t.Context())
	check(t, err)
	inner, err := m.Lock(t.Context(), lock.As(outer.Owner()))
	check(t, err)
	if seen, _ := srv.Locks().Get("order:42"); seen.Holders[0].Holds != 2 {
		t.Fatal(seen.Holders)
	}

	check(t, inner.Unlock(t.Context()))

	_, err = other.TryLock(t.Context())
	wantError(t, err, lock.ErrTaken)
	check(t, outer.Unlock(t.Context()))
	_, err = other.TryLock(t.Context())
	check(t, err)
}

func TestRecipe_LeakedLock(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(1000)
	m := newLocks(t, srv, "billing").Mutex("order:42")
	charge := func(ctx context.Context) error { // the code under test
		if _, err := m.Lock(ctx); err != nil {
			return err
		}
		return errors.New("card declined") // it returns without Unlock
	}
	if err := charge(t.Context()); err == nil {
		t.Fatal("the card was not declined")
	}

	leaked := srv.Locks().Held() // a test of correct code fails if there are any

	if len(leaked) != 1 || leaked[0].Name != "order:42" || leaked[0].Holders[0].Client.Name != "billing" {
		t.Fatalf("%+v", leaked)
	}
}

func TestRecipe_DeadlockOfThree(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(1000)
	names := []string{"account:1", "account:2", "account:3"}
	var held []*lock.Handle
	for _, name := range names {
		h, err := newLocks(t, srv, "transfer").Mutex(name).Lock(t.Context())
		check(t, err)
		held = append(held, h)
	}
	taken := make([]<-chan *lock.Handle, len(names))
	for i, h := range held { // each waits for the lock of the next
		other := names[(i+1)%len(names)]
		taken[i] = waiting(t, srv, newLocks(t, srv, "transfer").Mutex(other, lock.As(h.Owner())))
	}

	cycles := srv.Locks().Deadlocks() // a test of correct code fails if there are any

	if len(cycles) != 1 || len(cycles[0]) != 3 {
		t.Fatalf("%+v", cycles)
	}
	for _, w := range cycles[0] {
		t.Logf("%s holds %s and waits for %s", w.Owner, w.Held, w.Lock)
	}
	check(t, held[0].Unlock(t.Context())) // one gives up
	check(t, (<-taken[2]).Unlock(t.Context()))
	if cycles := srv.Locks().Deadlocks(); len(cycles) != 0 {
		t.Fatalf("%+v", cycles)
	}
}

func TestRecipe_PausedClientWithFencing(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(1000)
	newest := int64(0)
	write := func(token int64) bool { // the storage that the lock protects
		if token < newest {
			return false
		}
		newest = token
		return true
	}
	late, err := pausedLocks(t, srv, "paused").FencedMutex("file").Lock(t.Context(), lock.Lease(time.Hour))
	check(t, err)

	srv.Advance(time.Hour)

	h, err := newLocks(t, srv, "next").FencedMutex("file").Lock(t.Context())
	check(t, err)
	if !write(h.Token()) {
		t.Fatal("the holder cannot write")
	}
	if write(late.Token()) {
		t.Fatal("the former holder has overwritten what the holder has written")
	}
	wantError(t, late.Unlock(t.Context()), lock.ErrLost)
	if lapsed := srv.Locks().History("file")[1]; lapsed.Type != "lapsed" || !lapsed.Lost {
		t.Fatalf("%+v", lapsed)
	}
}

func TestRecipe_SlowServer(t *testing.T) {
	srv := server.StartT(t)
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr(), ClientName: "impatient", ReadTimeout: time.Second,
		MaxRetries: -1})
	defer rdb.Close()
	impatient := lock.New(rdb)
	defer impatient.Close()
	other := newLocks(t, srv, "other").Mutex("order:42")
	hang := srv.Faults().Add(fault.Rule{Command: "@scripting", Key: "order:42", Client: "impatient", Action: fault.Hang()})

	_, err := impatient.Mutex("order:42").Lock(t.Context()) // until the timeout, in real time
	wantError(t, err, lock.ErrUnavailable)

	wantHit(t, srv, hang)
	srv.Faults().Remove(hang)
	eventually(t, func() bool {
		_, err := other.TryLock(t.Context())
		return err == nil
	})
}

func TestRecipe_LostUnlockMessage(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(1000)
	h, err := newLocks(t, srv, "holder").Mutex("order:42").Lock(t.Context())
	check(t, err)
	next := waiting(t, srv, newLocks(t, srv, "waiter").Mutex("order:42"))

	lost := srv.Faults().Add(fault.Rule{Channel: "redisson_lock__channel:{order:42}", Action: fault.Drop()})
	check(t, h.Unlock(t.Context()))
	wantHit(t, srv, lost)
	srv.Advance(30 * time.Second) // the lease that the waiter has seen

	if h := <-next; h == nil {
		t.Fatal("the waiter has not noticed that the lock is free")
	}
}

func TestRecipe_PartitionUnderRedLock(t *testing.T) {
	servers := server.StartN(t, 3)
	majority := func(name string) *lock.Red {
		var members []lock.Locker
		for _, srv := range servers {
			members = append(members, newLocks(t, srv, name).Mutex("order:42"))
		}
		return lock.NewRed(members...)
	}
	worker, other := majority("worker"), majority("other")

	servers[0].Partition() // a minority
	h, err := worker.Lock(t.Context())
	check(t, err)
	_, err = other.TryLock(t.Context())
	wantError(t, err, lock.ErrTaken)
	check(t, h.Unlock(t.Context()))

	servers[1].Partition() // the majority
	_, err = worker.TryLock(t.Context())
	wantError(t, err, lock.ErrUnavailable)

	servers[0].Heal() // what the clients have sent arrives now, too late
	servers[1].Heal()
	h, err = other.Lock(t.Context())
	check(t, err)
	check(t, h.Unlock(t.Context()))
}

func TestRecipe_RestartThatLosesData(t *testing.T) {
	srv := server.StartT(t)
	first, second := newLocks(t, srv, "first"), newLocks(t, srv, "second")
	h, err := first.FencedMutex("file").Lock(t.Context())
	check(t, err)

	srv.Restart(server.LoseData())

	again, err := second.FencedMutex("file").Lock(t.Context())
	check(t, err)
	if h.Context().Err() != nil || again.Token() > h.Token() {
		t.Fatal("both believe that they hold the lock, and the token has begun anew")
	}
	srv.Advance(10 * time.Second) // the first one is to be renewed
	<-h.Context().Done()
	wantError(t, context.Cause(h.Context()), lock.ErrLost)
}
