package lock

import (
	"log/slog"
	"math"
	"time"
)

// Clock is where a [Client] takes the time from: see [WithClock]. All methods must be safe for concurrent use. The
// clock of a minilockd server in the same process (server.Server.Clock) is one that a test can advance.
//
// A clock that a test advances has a third method, Hold() (done func()). The client calls it before the function of a
// timer leaves work to another goroutine, and calls done when that work has ended; until then the clock stands still.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// AfterFunc calls f in its own goroutine after d.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a pending call of [Clock].AfterFunc.
type Timer = interface {
	// Reset changes the timer to call its function after d, whether or not it has called it before.
	Reset(d time.Duration)
	// Stop prevents the call. It does not wait for one that has begun.
	Stop()
}

// Forever is a lease without end: see [Lease].
const Forever time.Duration = math.MaxInt64

// unlimited is the wait of who waits as long as the context.
const unlimited time.Duration = -1

// defaultLease is Redisson's lockWatchdogTimeout.
const defaultLease = 30 * time.Second

// Option sets how a client works. Give it to [New].
type Option interface{ client(*Client) }

// LockOption sets how a lock is taken. Given to a method such as Lock it holds for that call, given to a constructor
// such as [Client.Mutex] for all calls on that lock, given to [New] for all of that client. The nearer one wins.
type LockOption interface {
	Option
	lock(*settings)
}

// settings are what the LockOptions set.
type settings struct {
	owner   string
	unique  bool          // nobody else has that owner
	lease   time.Duration // 0: the watchdog keeps it
	wait    time.Duration // unlimited, or how long
	maxHold time.Duration // 0: no limit
}

func (s settings) with(options []LockOption) settings {
	if len(options) == 0 {
		return s
	}
	return s.changed(options)
}

// changed is apart from with because what options can change is allocated.
func (s settings) changed(options []LockOption) settings {
	for _, o := range options {
		o.lock(&s)
	}
	return s
}

// lockOption makes a function a LockOption.
type lockOption func(*settings)

func (o lockOption) lock(s *settings) { o(s) }
func (o lockOption) client(c *Client) { o(&c.defaults) }

// Lease takes the lock for exactly d, to the millisecond, with no watchdog: it lapses on the server when d is over, and
// the handle counts as lost from then on. Zero means that the watchdog keeps the lock, which is the default.
func Lease(d time.Duration) LockOption {
	return lockOption(func(s *settings) { s.lease = max(d, 0) })
}

// WithWait limits how long a call waits for the lock, in addition to its context. After that it returns [ErrTimeout].
func WithWait(d time.Duration) LockOption {
	return lockOption(func(s *settings) { s.wait = max(d, 0) })
}

// MaxHold limits how long the watchdog keeps a lock: the last renewal is cut so that the lease ends d after the lock
// was taken, even if nobody unlocks. Zero means no limit.
func MaxHold(d time.Duration) LockOption {
	return lockOption(func(s *settings) { s.maxHold = max(d, 0) })
}

// As takes the lock under a given identity, uuid:thread, in place of one of its own. An owner that holds the lock gets
// it again at once, whichever process or language it took it in: that is how a holder of a write lock takes the read
// lock, and how tests act as a given thread of Java's. Two handles with one owner are one owner to the server: the
// counts add up.
func As(owner string) LockOption {
	return lockOption(func(s *settings) { s.owner = owner })
}

// clientOption makes a function an Option.
type clientOption func(*Client)

func (o clientOption) client(c *Client) { o(c) }

// WithWatchdog sets the lease that the watchdog gives and renews, 30 s if not set (Redisson's lockWatchdogTimeout).
// Each lock is renewed when a third of it has passed.
func WithWatchdog(lease time.Duration) Option {
	return clientOption(func(c *Client) { c.watchdog.lease = max(lease, 3*time.Millisecond) })
}

// WithClock sets where the time comes from; the machine's clock if not set. In a test that calls Advance of a minilockd
// server it must be that server's clock, srv.Clock(): else the locks lapse on the server, and the client does not know.
func WithClock(clock Clock) Option { return clientOption(func(c *Client) { c.clock = clock }) }

// WithObserver sets who is told what happens. See [Observer].
func WithObserver(o Observer) Option {
	return clientOption(func(c *Client) { c.observers = append(c.observers, o) })
}

// WithLogger has what happens logged: losses and failed renewals as warnings, the rest at debug level.
func WithLogger(l *slog.Logger) Option {
	return clientOption(func(c *Client) { c.observers = append(c.observers, logger{l}) })
}
