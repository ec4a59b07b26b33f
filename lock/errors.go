package lock

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// What can go wrong. Every error of this package is an [*Error] that matches one of these with errors.Is.
var (
	// ErrTaken means that somebody else has it, and that the call was not to wait.
	ErrTaken = errors.New("taken")
	// ErrTimeout means that the wait was over before the lock was free. If it was the context that ended, the error also
	// matches ctx.Err() and context.Cause(ctx).
	ErrTimeout = errors.New("timed out")
	// ErrNotHeld means that the handle has been unlocked before, or that the owner named does not hold the lock.
	ErrNotHeld = errors.New("not held")
	// ErrLost means that the lock was held and is no longer, or that this can no longer be proven.
	ErrLost = errors.New("lost")
	// ErrUnavailable means that the server did not do it: it could not be reached, or answered with an error. The cause is
	// wrapped.
	ErrUnavailable = errors.New("server unavailable")
	// ErrWrongType means that the key holds something that is no lock of this kind.
	ErrWrongType = errors.New("key is of another kind")
	// ErrClosed means that the client has been closed.
	ErrClosed = errors.New("client closed")
)

// Error says what was tried, on what, as whom, and what came of it.
type Error struct {
	Op    string        // what was tried, such as "lock", "unlock", "extend"
	Name  string        // the name of the lock
	Owner string        // the identity that tried, empty if none was needed
	TTL   time.Duration // how long the present holder's lease still ran when last seen; 0 if unknown
	Err   error         // one of the errors above
	Cause error         // what lies below it, or nil
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "lock: %s %q", e.Op, e.Name)
	if e.Owner != "" {
		fmt.Fprintf(&b, " as %s", e.Owner)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.TTL > 0 {
		fmt.Fprintf(&b, " (the lease of who has it: %v)", e.TTL)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

// Unwrap makes errors.Is and errors.As see both what it is and what caused it.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Cause}
}

// because completes an error with what is behind it; it is nil if nothing is. during is what the server said while a
// wait went on.
func (e *Error) because(ctx context.Context, err, during error) error {
	if err == nil {
		return nil
	}
	e.Err, e.Cause = classify(ctx, err), err
	switch {
	case err == ErrTaken:
		e.Cause = nil
	case err == errWaitOver:
		e.Err, e.Cause = ErrTimeout, during
	case e.Err == ErrTimeout:
		e.Cause = timedOut(ctx)
		if during != nil {
			e.Cause = errors.Join(e.Cause, during)
		}
	}
	return e
}

// timedOut is the cause of an ErrTimeout: ctx.Err(), and the reason given to the context if there is one.
func timedOut(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == err {
		return err
	}
	return errors.Join(err, cause)
}

// classify tells which of the package's errors an error of go-redis amounts to.
func classify(ctx context.Context, err error) error {
	switch {
	case err == ErrTaken:
		return ErrTaken
	case errors.Is(err, redis.ErrClosed), errors.Is(err, errClosing):
		return ErrClosed
	case isWrongType(err):
		return ErrWrongType
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return ErrTimeout
	}
	return ErrUnavailable
}

// isReply reports whether err is what the server answered.
func isReply(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// isWrongType finds Redis' word for it; servers before 7.0 put other words before those of a command in a script.
func isWrongType(err error) bool {
	return isReply(err) && (strings.Contains(err.Error(), "WRONGTYPE ") || strings.Contains(err.Error(), "not an integer"))
}

// transient are the answers with which a server, or a cluster, asks to be tried again a little later.
var transient = []string{"LOADING ", "READONLY ", "CLUSTERDOWN ", "MASTERDOWN ", "TRYAGAIN ", "NOREPLICAS ", "BUSY ",
	"ERR max number of clients reached"}

// worthRepeating reports whether a second try may have another end, and whether the first may have been carried out
// although no reply has come.
func worthRepeating(err error) (again, ambiguous bool) {
	if isReply(err) {
		for _, prefix := range transient {
			if strings.HasPrefix(err.Error(), prefix) {
				return true, false
			}
		}
		return false, false
	}
	var op *net.OpError
	if errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &op) && op.Op == "dial" {
		return true, false
	}
	return !errors.Is(err, redis.ErrClosed), true
}
