// Package lock implements distributed locks on Redis, Valkey or minilockd that Go shares with Java: it uses the keys,
// channels and messages of Redisson 4.7.0, so that Go and Java processes exclude each other, wake each other, and wait
// in the same queue.
//
// # Basics
//
// Make one [Client] for each server from a go-redis client (single, Sentinel or Cluster), and locks from it by name.
// Taking a lock returns a [Handle], which identifies the holder and releases the lock:
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
// Lock waits, [Mutex.TryLock] does not, [WithWait] limits the wait. Without [Lease] a watchdog renews the lock: it has
// a lease of 30 s that is renewed every 10 s, so a process that dies keeps a lock for at most 30 s.
//
// # Waiting
//
// A call that finds a lock taken subscribes to its channel, tries once more, and sleeps until a message comes or the
// lease of the holder should have ended. All waiters of a client share one connection, and only the first waiter for a
// lock is woken: handing over a lock costs one attempt for each process that waits, not one for each waiter. Within a
// process waiters get the lock in their order. After a disconnect all subscriptions are made again and the first waiter
// of each lock tries once.
//
// # Guarantees of each type
//
//   - [Mutex]: one owner at a time. Not fair across processes.
//   - [FairMutex]: one owner at a time, in the order of the calls, across processes. If waiters die, the clocks of the
//     clients decide the order; see below.
//   - [RWMutex]: one writer, or any number of readers.
//   - [SpinMutex]: a Mutex that polls. For short holds without contention.
//   - [FencedMutex]: a Mutex that numbers its holders, so that a storage can reject writes of a former holder.
//   - [Multi]: all of several locks, or none.
//   - [Red]: the majority of several locks on independent servers.
//   - [Semaphore]: a number of permits without owners: the permits of a process that dies stay taken.
//   - [PermitSemaphore]: permits with an ID and a lease, which expire.
//   - [Latch]: waits until a count reaches zero.
//   - [RateLimiter]: a number of permits in each interval.
//
// # Limits
//
// On a server that replicates asynchronously, as Redis, Sentinel and Cluster do, a lock can be lost in a failover: if
// it has not reached the new master, another owner can take it. And a process can be stopped, by a garbage collector or
// a hypervisor, for longer than its lease, between a check of its handle and a write to what the lock protects. So
// mutual exclusion holds only within the lease and as long as the server keeps its data. If that is not enough, let the
// storage check the token of a [FencedMutex]. A failover can also repeat a token, unless the servers wait for replicas
// (min-replicas-to-write) or write through (appendfsync always).
//
// [Handle.Context] ends when the lease may have ended, counted on the client's own clock from the time just before the
// command that set it was sent. For this the clocks need only run at the same speed. Three types compare times of
// several machines, as Redisson does: the places in the queue of a FairMutex, the leases of a PermitSemaphore and the
// intervals of a RateLimiter are times on the clocks of the clients, which must be synchronized.
//
// # Errors
//
// All errors are [*Error] and match one of [ErrTaken], [ErrTimeout], [ErrNotHeld], [ErrLost], [ErrUnavailable],
// [ErrWrongType] and [ErrClosed]. A call succeeds only if the server has confirmed it. After a lost reply the client
// reads it from the server: the owner's name in the lock shows that it was taken, and an unlock leaves its result under
// another key, so that a repeated unlock is executed once. [Semaphore.Acquire] and [Latch.CountDown] have no such
// record: their comments say what a lost reply means.
//
// # Sharing with Redisson
//
// All types but [PermitSemaphore] and [RateLimiter], whose records have changed, also share with Redisson 3.13.6. In a
// cluster with sharded channels (Redis 7) the client uses them, as Redisson does. Names need no braces, since derived
// keys add them; locks of a [Multi] may be in different slots.
//
// # Time in tests
//
// A test can advance the clock of a minilockd server in the same process, so that a lease of an hour ends in a
// millisecond. The client must use the same clock:
//
//	srv := server.StartT(t)
//	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
//	locks := lock.New(rdb, lock.WithClock(srv.Clock()))
//	…
//	srv.Advance(time.Hour) // renews all held locks
//
// At each time Advance waits for the renewals, attempts and retries that the client's timers begin. Without WithClock
// the client does not see the hour: its locks expire on the server, and a handle is lost only when a renewal finds that
// out, or when the lease ends on the machine's clock, which also ends [Handle.Context].
//
// The servers of server.StartN have one clock, for the members of a [Red] or a [Multi]. In a bubble of testing/synctest
// nobody need advance a clock: without WithClock a client uses that of the bubble, as the server does, to which it
// connects in memory.
//
//	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr(), Dialer: srv.DialContext})
package lock
