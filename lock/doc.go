// Package lock is a family of distributed locks on Redis, Valkey or minilockd that Go shares with Java: it has the
// keys, channels and messages of Redisson 4.7.0, so a Go process and a Java process contend for the same lock, wake
// each other, and keep one queue.
//
// # Basics
//
// A [Client] is made once for each server from a go-redis client (single, Sentinel or Cluster); locks are made from it
// by name. Taking one gives a [Handle], which carries the identity that holds it, is passed to whoever works under the
// lock, and gives it back:
//
//	locks := lock.New(rdb)
//	defer locks.Close()
//
//	h, err := locks.Mutex("order:42").Lock(ctx) // waits as long as ctx
//	if err != nil {
//		return err
//	}
//	defer h.Unlock(ctx)
//	return work(h.Context()) // ends when the lock is lost
//
// Lock waits, [Mutex.TryLock] never does, [WithWait] is in between. With no [Lease] given, a watchdog keeps the lock: a
// lease of 30 s that is renewed each 10 s, so a process that dies leaves a lock behind for half a minute at most.
//
// # Waiting
//
// Who finds a lock taken subscribes to its channel, tries once more, and sleeps until it is told, or until the lease
// that it saw should be over. All waiters of a client share one connection, and of the waiters of one lock only the
// first is woken: a lock that changes hands costs one attempt for each process that waits, not one for each waiter.
// Within a process waiters are served in their order. When the connection breaks, all subscriptions are made again and
// those first in line try once.
//
// # What each kind guarantees
//
//   - [Mutex]: one owner at a time. Not fair across processes.
//   - [FairMutex]: the same, in the order of asking, across processes. The order is decided by the clocks of the clients
//     where waiters die; see below.
//   - [RWMutex]: one writer, or any number of readers.
//   - [SpinMutex]: a Mutex that polls. For short holds without contention.
//   - [FencedMutex]: a Mutex that numbers its holders, so that a storage can refuse one whose time is over.
//   - [Multi]: all of several locks, or none.
//   - [Red]: the majority of several locks on independent servers.
//   - [Semaphore]: a number of permits that belong to nobody: a process that dies keeps its permits for ever.
//   - [PermitSemaphore]: permits with an id and a lease, which come back by themselves.
//   - [Latch]: waits until a count has come down to zero.
//   - [RateLimiter]: so many permits in each interval.
//
// # What none of them can give
//
// A lock on a server that replicates asynchronously, as Redis, Sentinel and Cluster do, can be lost in a failover: the
// new master may not have heard of it, and somebody else gets it. And a process can be stopped, by a garbage collector
// or a hypervisor, between looking at its handle and writing to what the lock protects, for longer than its lease.
// Mutual exclusion therefore holds within the lease and while the server keeps its word, which is enough to save work,
// and not enough to save money. Where it matters, let the storage check the token of a [FencedMutex]; tokens too can be
// given twice by a failover, unless the servers wait for replicas (min-replicas-to-write) or write through (appendfsync
// always).
//
// The handle tells what can be known: [Handle.Context] ends the moment the lease can no longer be proven to run,
// counted on this process's own clock from before the command that started it was sent. That asks of clocks only that
// they run at the same speed, not that they show the same time. Three kinds compare times between machines, as Redisson
// does: the places of a FairMutex, the leases of a PermitSemaphore and the intervals of a RateLimiter are moments on
// the clocks of the clients, so these must agree to within what such times can bear.
//
// # Errors
//
// All errors are [*Error] and match one of [ErrTaken], [ErrTimeout], [ErrNotHeld], [ErrLost], [ErrUnavailable],
// [ErrWrongType] and [ErrClosed]. There is no success without the server's word for it. When a reply is lost, the
// client asks: an owner's name in the lock is the proof that it was taken, an unlock leaves its result under a key of
// its own, so that repeating it does it once. What the wire format gives no proof for is said with its method: see
// [Semaphore.Acquire] and [Latch.CountDown].
//
// # Sharing with Redisson
//
// Everything but [PermitSemaphore] and [RateLimiter], whose records changed, is shared with Redisson 3.13.6 as well. In
// a cluster with sharded channels (Redis 7), the client uses them as Redisson does. Names need no braces, since derived
// keys put the name into some; locks of a [Multi] may lie in different slots.
//
// # Time in tests
//
// A minilockd server in the same process has a clock that a test moves, so that a lease of an hour ends in a
// millisecond. The client must go by the same clock:
//
//	srv := server.StartT(t)
//	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
//	locks := lock.New(rdb, lock.WithClock(srv.Clock()))
//	…
//	srv.Advance(time.Hour) // on the way all that is held is renewed
//
// Advance waits, at each moment, for the renewals, attempts and retries that the client's timers begin there. Without
// WithClock the client knows nothing of the hour: the server lets its locks lapse, and a handle is lost only when a
// renewal finds that out, or when the lease ends by the machine's clock. [Handle.Context] never outlives that.
package lock
