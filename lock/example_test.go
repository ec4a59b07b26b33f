package lock_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// start is a server and a client for one example.
func start() (*server.Server, *lock.Client, func()) {
	srv, err := server.Start(context.Background(), server.Options{})
	if err != nil {
		panic(err)
	}
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	locks := lock.New(rdb, lock.WithClock(srv.Clock()))
	return srv, locks, func() {
		_ = locks.Close()
		_ = rdb.Close()
		_ = srv.Close()
	}
}

// In a test that moves the server's clock, the client has to go by it: then it renews on the way. A lease lapses.
func ExampleWithClock() {
	ctx := context.Background()
	srv, err := server.Start(ctx, server.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer rdb.Close()
	locks := lock.New(rdb, lock.WithClock(srv.Clock()))
	defer locks.Close()

	watched, err := locks.Mutex("watched").Lock(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	leased, err := locks.Mutex("leased").Lock(ctx, lock.Lease(time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	srv.Advance(24 * time.Hour)
	fmt.Println("watched:", context.Cause(watched.Context()))
	fmt.Println("leased:", context.Cause(leased.Context()))
	fmt.Println("keys:", rdb.Keys(ctx, "*ed").Val())
	// Output:
	// watched: <nil>
	// leased: lost
	// keys: [watched]
}

// A lock is kept until it is given back.
func ExampleMutex() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	m := locks.Mutex("order:42")
	h, err := m.Lock(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.TryLock(ctx)
	fmt.Println("taken:", errors.Is(err, lock.ErrTaken))
	fmt.Println(h.Unlock(ctx))
	// Output:
	// taken: true
	// <nil>
}

// The work ends with the lock that protects it.
func ExampleMutex_Do() {
	srv, locks, stop := start()
	defer stop()

	err := locks.Mutex("report").Do(context.Background(), func(ctx context.Context) error {
		srv.Advance(time.Minute) // the network is down for longer than the lease
		<-ctx.Done()
		return context.Cause(ctx)
	}, lock.Lease(30*time.Second))
	fmt.Println("lost:", errors.Is(err, lock.ErrLost))
	// Output: lost: true
}

// An owner may take its lock again, here or elsewhere.
func ExampleAs() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	const owner = "8743c9c0-0795-4907-87fd-6c719a6b4586:42" // a thread of some Java process
	h, err := locks.Mutex("m").Lock(ctx, lock.As(owner))
	fmt.Println(h.Owner(), err)
	info, err := locks.Mutex("m").Inspect(ctx)
	fmt.Println(info.Holds(owner), err)
	// Output:
	// 8743c9c0-0795-4907-87fd-6c719a6b4586:42 <nil>
	// 1 <nil>
}

// Waiters get a fair lock in the order in which they came.
func ExampleFairMutex() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	m := locks.FairMutex("printer")
	h, err := m.Lock(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan string)
	for i, name := range []string{"first", "second"} {
		go func() {
			_ = m.Do(ctx, func(context.Context) error {
				done <- name
				return nil
			})
		}()
		for info, _ := m.Inspect(ctx); len(info.Waiters) <= i; info, _ = m.Inspect(ctx) {
			time.Sleep(time.Millisecond)
		}
	}
	_ = h.Unlock(ctx)
	fmt.Println(<-done, <-done)
	// Output: first second
}

// Readers share; a writer that has written goes on as a reader, and no one else writes in between.
func ExampleRWMutex() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	m := locks.RWMutex("config")
	w, err := m.Lock(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := m.RLock(ctx, lock.As(w.Owner()))
	fmt.Println(err)
	fmt.Println(w.Unlock(ctx))
	other, err := m.TryRLock(ctx)
	fmt.Println(other != nil, err)
	fmt.Println(r.Unlock(ctx))
	// Output:
	// <nil>
	// <nil>
	// true <nil>
	// <nil>
}

// A spin lock is taken and given back with a command each, and without subscriptions.
func ExampleSpinMutex() {
	_, locks, stop := start()
	defer stop()

	n := 0
	err := locks.SpinMutex("counter").Do(context.Background(), func(context.Context) error {
		n++
		return nil
	})
	fmt.Println(n, err)
	// Output: 1 <nil>
}

// A storage that remembers the largest token rejects a holder whose time is over.
func ExampleFencedMutex() {
	srv, locks, stop := start()
	defer stop()
	ctx := context.Background()

	last := int64(0)
	write := func(token int64) bool {
		if token < last {
			return false
		}
		last = token
		return true
	}
	m := locks.FencedMutex("file")
	slow, err := m.Lock(ctx, lock.Lease(time.Second))
	if err != nil {
		fmt.Println(err)
		return
	}
	srv.Advance(time.Second)
	quick, err := m.Lock(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("quick:", write(quick.Token()))
	fmt.Println("slow:", write(slow.Token()))
	// Output:
	// quick: true
	// slow: false
}

// Both accounts, or none.
func ExampleMulti() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	h, err := lock.NewMulti(locks.Mutex("account:1"), locks.Mutex("account:2")).Lock(ctx)
	fmt.Println(h.Name(), err)
	_, err = locks.Mutex("account:2").TryLock(ctx)
	fmt.Println(errors.Is(err, lock.ErrTaken))
	fmt.Println(h.Unlock(ctx))
	// Output:
	// account:1 account:2 <nil>
	// true
	// <nil>
}

// Two of three servers are enough.
func ExampleRed() {
	ctx := context.Background()
	var members []lock.Locker
	for range 3 {
		srv, locks, stop := start()
		defer stop()
		members = append(members, locks.Mutex("leader"))
		if len(members) == 3 {
			_ = srv.Close()
		}
	}
	h, err := lock.NewRed(members...).Lock(ctx)
	fmt.Println(err)
	fmt.Println(h.Unlock(ctx))
	// Output:
	// <nil>
	// <nil>
}

// At most two at a time.
func ExampleSemaphore() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	s := locks.Semaphore("downloads")
	_, _ = s.TrySetPermits(ctx, 2)
	fmt.Println(s.Acquire(ctx, 2))
	fmt.Println(errors.Is(s.TryAcquire(ctx, 1), lock.ErrTaken))
	fmt.Println(s.Release(ctx, 2))
	// Output:
	// <nil>
	// true
	// <nil>
}

// A permit whose holder has died comes back.
func ExamplePermitSemaphore() {
	srv, locks, stop := start()
	defer stop()
	ctx := context.Background()

	s := locks.PermitSemaphore("licences")
	_, _ = s.TrySetPermits(ctx, 1)
	_, err := s.Acquire(ctx, lock.Lease(time.Minute)) // and dies
	fmt.Println(err)
	srv.Advance(time.Minute)
	p, err := s.TryAcquire(ctx)
	fmt.Println(err)
	fmt.Println(p.Release(ctx))
	// Output:
	// <nil>
	// <nil>
	// <nil>
}

// All wait for three to be ready.
func ExampleLatch() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	l := locks.Latch("ready")
	_, _ = l.TrySetCount(ctx, 3)
	for range 3 {
		go func() { _ = l.CountDown(ctx) }()
	}
	fmt.Println(l.Await(ctx))
	// Output: <nil>
}

// Two calls a second.
func ExampleRateLimiter() {
	_, locks, stop := start()
	defer stop()
	ctx := context.Background()

	l := locks.RateLimiter("api")
	_, _ = l.TrySetRate(ctx, lock.Rate{Permits: 2, Interval: time.Second})
	for range 3 {
		err := l.TryAcquire(ctx, 1)
		fmt.Println(err == nil, errors.Is(err, lock.ErrTaken))
	}
	// Output:
	// true false
	// true false
	// false true
}
