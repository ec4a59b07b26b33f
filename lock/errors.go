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

// Every error of this package is an [*Error] that matches one of these with errors.Is.
var (
	// ErrTaken means that another owner holds it, and that the call was not to wait.
	ErrTaken = errors.New("taken")
	// ErrTimeout means that the wait ended before the lock was free. If the context ended, the error also matches
	// ctx.Err() and context.Cause(ctx).
	ErrTimeout = errors.New("timed out")
	// ErrNotHeld means that the handle was unlocked before, or that the given owner does not hold the lock.
	ErrNotHeld = errors.New("not held")
	// ErrLost means that the lock was held and no longer is, or that its lease may have ended.
	ErrLost = errors.New("lost")
	// ErrUnavailable means that the server could not be reached or returned an error, which is wrapped.
	ErrUnavailable = errors.New("server unavailable")
	// ErrWrongType means that the key is not a lock of this type.
	ErrWrongType = errors.New("key is of another kind")
	// ErrClosed means that the client has been closed.
	ErrClosed = errors.New("client closed")
)

// Error describes a failed operation.
type Error struct {
	Op    string        // operation, such as "lock", "unlock", "extend"
	Name  string        // the name of the lock
	Owner string        // identity of the caller, empty if none was needed
	TTL   time.Duration // rest of the holder's lease when last seen; 0 if unknown
	Err   error         // one of the errors above
	Cause error         // underlying error, or nil
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

// Unwrap returns Err and Cause, for errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Cause}
}

// because sets Err and Cause from err; it returns nil if err is nil. during is the last error of the server during a
// wait.
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

// timedOut returns the cause of an ErrTimeout: ctx.Err(), and context.Cause(ctx) if it differs.
func timedOut(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == err {
		return err
	}
	return errors.Join(err, cause)
}

// classify converts an error of go-redis to one of this package.
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

// isReply reports whether err is an error reply of the server.
func isReply(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// isWrongType reports whether err is WRONGTYPE; servers before 7.0 prefix errors of commands in scripts.
func isWrongType(err error) bool {
	return isReply(err) && (strings.Contains(err.Error(), "WRONGTYPE ") || strings.Contains(err.Error(), "not an integer"))
}

// transient are the prefixes of temporary errors of a server or cluster.
var transient = []string{"LOADING ", "READONLY ", "CLUSTERDOWN ", "MASTERDOWN ", "TRYAGAIN ", "NOREPLICAS ", "BUSY ",
	"ERR max number of clients reached"}

// mayRetry reports whether a retry may succeed, and whether the first attempt may have been executed although
// there was no reply.
func mayRetry(err error) (again, ambiguous bool) {
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
