// Package lockotel tells OpenTelemetry what happens to the locks of package lock: how long they are waited for and
// held, how often they are renewed and lost, and, in traces, by whom.
//
//	locks := lock.New(rdb, lock.WithObserver(lockotel.New()))
//
// It is a module of its own, so that package lock depends on nothing of OpenTelemetry.
//
// # Metrics
//
//   - lock.wait.duration: a histogram, in seconds, of waits; lock.outcome is "acquired", "timeout" or "error".
//   - lock.hold.duration: a histogram, in seconds, of holds; lock.outcome is "released" or "lost".
//   - lock.held: how many are held now.
//   - lock.renewals: a counter; lock.outcome is "renewed" or "error".
//
// All have lock.kind. Names of locks are often too many for metrics; [WithNames] adds them as lock.name.
//
// # Traces
//
// Each wait that had to be, and each hold, is a span of the trace of the context that the lock was taken, or given
// back, with. The spans are made when they are over, with their true beginning, so a span that is missing is a lock
// still held.
package lockotel
