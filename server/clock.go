package server

import (
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// Clock is the clock of a server: real time, until a test moves, stops or speeds it up. The commands CLOCK.ADVANCE,
// CLOCK.FREEZE and so on do the same over a connection. It is a clock for lock.WithClock. All methods are safe for
// concurrent use; those that change the clock run one after the other, and a function that the clock calls must not
// call them.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// AfterFunc calls f in its own goroutine after d. Advance waits for f to return.
	AfterFunc(d time.Duration, f func()) Timer
	// Hold makes Advance wait until done is called, once. The function of a timer calls it before it leaves work to
	// another goroutine.
	Hold() (done func())
	// Advance is [Server.Advance].
	Advance(d time.Duration)
	// Set moves the clock to t: forward as Advance does, or back at once, as if the clock of the machine had been set
	// back. Then keys, timeouts and timers are due when the clock shows their time again.
	Set(t time.Time)
	// Freeze stops the clock until Resume. Advance and Set move it all the same.
	Freeze()
	// Resume lets a stopped clock run on from what it shows.
	Resume()
	// SetSpeed makes the clock run factor times as fast as real time, from what it shows. The factor must be greater than
	// 0 and at most 10,000, otherwise SetSpeed panics. A stopped clock stays so.
	SetSpeed(factor float64)
	// Frozen reports whether the clock is stopped by Freeze.
	Frozen() bool
	// Speed returns the factor that SetSpeed has set, 1 at first; also while the clock is stopped.
	Speed() float64
}

// Timer is a pending call of [Clock].AfterFunc.
type Timer = interface {
	// Reset changes the timer to call its function after d, whether or not it has called it before.
	Reset(d time.Duration)
	// Stop prevents the call. It does not wait for one that has started.
	Stop()
}

// Clock returns the server's clock, which Advance moves forward. A lock client of the same process must use it,
// otherwise it believes that it holds locks whose leases have ended on the server:
//
//	locks := lock.New(rdb, lock.WithClock(srv.Clock()))
func (s *Server) Clock() Clock { return clock.Lent{Offset: s.clock} }

// Advance moves the server's clock forward by d, which must not be negative, from one timer that is due to the next:
// keys expire, blocked commands time out, idle clients are closed, lock clients with this clock renew their locks. At
// each of these times the clock stands still until the work that the timer has started is done. So it makes no
// difference whether a test advances the clock at once or in steps, and a lock whose holder is alive is kept:
//
//	locks := lock.New(rdb, lock.WithClock(srv.Clock())) // without WithClock, the client loses its locks here
//	h, err := locks.Mutex("order:42").Lock(ctx)
//	srv.Advance(time.Hour)
//	h.Context().Err() // nil: it was renewed 360 times
//
// When Advance returns, the clock shows exactly d more and runs on. Its cost depends on the number of timers that are
// due, not on d. Concurrent calls run one after the other.
//
// Advance does not wait for
//   - timers of other processes, such as those of Redisson's watchdog;
//   - timers on the machine's clock: go-redis' timeouts, a lock client without WithClock, time.Sleep in the test;
//   - goroutines of the test, such as those that a message or an ended context has woken;
//   - the closing of a connection that was idle for too long or left too much unread.
//
// Work that does not end, such as an endless script, a command to a server that does not answer or an Observer that
// waits for a lock, delays Advance for about two seconds of real time, then no longer. A function that the clock calls,
// or an Observer, must not call Advance.
func (s *Server) Advance(d time.Duration) { s.clock.Advance(d) }
