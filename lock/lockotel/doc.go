// Package lockotel records the locks of package lock with OpenTelemetry: waits, holds, renewals and lost locks, as
// metrics and traces.
//
//	locks := lock.New(rdb, lock.WithObserver(lockotel.New()))
//
// It is a separate module, so that package lock does not depend on OpenTelemetry.
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
// Each wait and each hold is a span in the trace of the context that the lock was taken or released with. The spans are
// created when they end, with their true start times, so a lock that is still held has no span yet.
package lockotel
