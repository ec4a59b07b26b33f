package server

import (
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// Clock is the server's own clock, which Advance moves. A lock client of the same process must go by it, or it takes its locks
// for held when their leases are over:
//
//	locks := lock.New(rdb, lock.WithClock(srv.Clock()))
//
// Other code may use it too. What a timer of it begins in a goroutine of its own is waited for by Advance if the clock is held
// meanwhile:
//
//	done := srv.Clock().(interface{ Hold() func() }).Hold()
//
// is to be called by the timer's function, and done when that work has ended.
func (s *Server) Clock() clock.Clock { return s.clock }

// Advance moves the server's clock forward by d, which must not be negative, through all that happens on the way. It goes from one
// timer that falls due to the next, be it the expiry of keys, the timeout of a blocked command, a client that is idle for too long,
// or a renewal of a lock client on this clock. At each the clock stands still until all that comes of it has come to rest: events are
// on their way to their subscribers, blocked commands are answered, renewals are carried out and the next ones armed. So it
// makes no difference whether time is moved at once or step by step, and a lock whose holder is alive is kept:
//
//	locks := lock.New(rdb, lock.WithClock(srv.Clock())) // a client without WithClock loses its locks here
//	h, err := locks.Mutex("order:42").Lock(ctx)
//	srv.Advance(time.Hour)
//	h.Context().Err() // nil: it has been renewed 360 times
//
// When it returns, the clock shows exactly d more, and runs on. A time without timers costs nothing, be it years. Calls that come
// at the same time take turns.
//
// It knows nothing of timers in other processes, such as those of Redisson's watchdog, nor of those that run on the machine's
// clock: go-redis' timeouts, a lock client without WithClock, time.Sleep in the test. Nor does it wait for goroutines of the test,
// be they those that a message or an ended context has woken, nor for the end of a connection that has been idle for too long or has
// left too much unread, which begins at its moment. What does not end by itself, such as an endless script, a
// command to a server that does not answer or an Observer that waits for a lock, is waited for about two seconds of real time, and
// from then on no more. A function that the clock calls, or an Observer, must not call Advance.
func (s *Server) Advance(d time.Duration) { s.clock.Advance(d) }
