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
	// Stop prevents the call. It does not wait for one that has started.
	Stop()
}

// Forever is a lease without an end: see [Lease].
const Forever time.Duration = math.MaxInt64

// unlimited is a wait that only the context limits.
const unlimited time.Duration = -1

// defaultLease is Redisson's lockWatchdogTimeout.
const defaultLease = 30 * time.Second

// Option configures a client: see [New].
type Option interface{ client(*Client) }

// LockOption configures how a lock is taken. Passed to a method such as Lock it applies to that call, passed to a
// constructor such as [Client.Mutex] to all calls on that lock, passed to [New] to all locks of the client. The option
// of the call overrides that of the lock, which overrides that of the client.
type LockOption interface {
	Option
	lock(*settings)
}

// settings are set by LockOptions.
type settings struct {
	owner   string
	unique  bool          // only this handle has that owner
	lease   time.Duration // 0: the watchdog keeps it
	wait    time.Duration // unlimited, or the limit
	maxHold time.Duration // 0: no limit
}

func (s settings) with(options []LockOption) settings {
	if len(options) == 0 {
		return s
	}
	return s.changed(options)
}

// changed is separate from with, since settings that options can change are allocated.
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

// Lease takes the lock for d, to the millisecond, without the watchdog: it expires on the server after d, and the
// handle is lost then. With 0 the watchdog renews the lock, which is the default.
func Lease(d time.Duration) LockOption {
	return lockOption(func(s *settings) { s.lease = max(d, 0) })
}

// WithWait limits how long a call waits for the lock, in addition to its context. After that it returns [ErrTimeout].
func WithWait(d time.Duration) LockOption {
	return lockOption(func(s *settings) { s.wait = max(d, 0) })
}

// MaxHold limits how long the watchdog renews a lock: the last renewal is shortened so that the lease ends d after the
// lock was taken. 0 is no limit.
func MaxHold(d time.Duration) LockOption {
	return lockOption(func(s *settings) { s.maxHold = max(d, 0) })
}

// As takes the lock with a given identity, uuid:thread, instead of a new one. An owner that holds the lock gets it
// again at once, in any process or language: so the holder of a write lock can take the read lock, and a test can act
// for a thread of Redisson. To the server, two handles with the same owner are one: their holds are added up.
func As(owner string) LockOption {
	return lockOption(func(s *settings) { s.owner = owner })
}

// clientOption makes a function an Option.
type clientOption func(*Client)

func (o clientOption) client(c *Client) { o(c) }

// WithWatchdog sets the lease of the watchdog, by default 30 s (Redisson's lockWatchdogTimeout), at least 3 ms. It
// renews each lock when a third of the lease has passed.
func WithWatchdog(lease time.Duration) Option {
	return clientOption(func(c *Client) { c.watchdog.lease = max(lease, 3*time.Millisecond) })
}

// WithClock sets the client's clock, by default that of the machine. In a test that calls Advance of a minilockd server
// it must be the server's, srv.Clock(): otherwise locks expire on the server while the client believes that it holds
// them.
func WithClock(clock Clock) Option { return clientOption(func(c *Client) { c.clock = clock }) }

// WithObserver adds an [Observer].
func WithObserver(o Observer) Option {
	return clientOption(func(c *Client) { c.observers = append(c.observers, o) })
}

// WithLogger logs the client's events: lost locks and failed renewals at level Warn, the others at Debug.
func WithLogger(l *slog.Logger) Option {
	return clientOption(func(c *Client) { c.observers = append(c.observers, logger{l}) })
}
