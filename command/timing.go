package command

// How long calls take, for the slow log, LATENCY and INFO commandstats. Reading the clock costs about as much as a
// GET, so the parameters decide what is timed (config.Timing): everything if one of them needs it, by default only the
// calls that can reach slowlog-log-slower-than at all, and these with one reading: the transaction knows their start.
// The price is that commandstats shows usec=0 unless all calls are timed.
//
// What is recorded by a transaction that restarts is recorded once, when it commits.

import (
	"time"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/store"
)

// canBeSlow reports whether the time of a call grows with its arguments or with the value of its key. EXEC itself has
// no entry in the slow log: its calls have.
func (c *Command) canBeSlow() bool { return !c.Flags.Has(Fast | Brief | SkipSlowlog | SkipCommandLog) }

// runTimed runs the handler, times it as config.Timing says, and sends the replicas what it has changed.
func (c *Call) runTimed() (v resp.Value) {
	before := c.Tx.Changes()
	switch c.Env().Config.Timing() {
	case config.TimeAll:
		start := c.Env().Clock.Now()
		v = c.Cmd.Run(c)
		c.recordDuration(start)
	case config.TimeSlow:
		v = c.runTimedOnce()
	default:
		v = c.Cmd.Run(c)
	}
	if c.Propagates() {
		c.propagateChange(before)
	}
	return v
}

// runTimedOnce times calls that can be slow by one reading of the clock, at their end. Calls of EXEC and of scripts
// need a second one, since they do not start with their transaction.
func (c *Call) runTimedOnce() resp.Value {
	if !c.Cmd.canBeSlow() {
		return c.Cmd.Run(c)
	}
	start := c.Tx.Time()
	if c.nested {
		start = c.Env().Clock.Now()
	}
	v := c.Cmd.Run(c)
	if c.blocks() {
		return v
	}
	end := c.Env().Clock.Now()
	if !c.nested {
		c.Session.endsAt(end)
	}
	c.logSlow(end.Sub(start))
	return v
}

// recordDuration records the time since start in commandstats, the histograms, the latency monitor and the slow log.
func (c *Call) recordDuration(start time.Time) {
	if c.Tx.Restarting() {
		return
	}
	elapsed := c.Env().Clock.Now().Sub(start)
	if c.waits() {
		c.Session.blocked.Load().hasRun(elapsed)
		return
	}
	counts, cfg := c.Session.counts(c.Cmd), c.Env().Config
	c.Session.Add(&counts.Nanos, int64(elapsed))
	if cfg.Histograms() {
		c.Session.Add(counts.Histogram.Bucket(elapsed), 1)
	}
	if c.blocks() {
		return
	}
	c.logSlow(elapsed)
	if threshold := cfg.LatencyThreshold(); threshold > 0 && elapsed.Milliseconds() >= threshold {
		c.addLatency(start, elapsed)
	}
}

// blocks reports whether the call has blocked its session. serveTimed logs it when it is served.
func (c *Call) blocks() bool { return !c.nested && c.Session.Blocked() }

// logSlow adds the call to the slow log if its duration is at least slowlog-log-slower-than.
func (c *Call) logSlow(elapsed time.Duration) {
	slower := c.Env().Config.SlowerThan()
	if slower < 0 || elapsed.Microseconds() < slower || c.Cmd.Flags.Has(SkipSlowlog|SkipCommandLog) || c.Tx.Restarting() {
		return
	}
	if length := c.Env().Config.SlowLogLen(); length > 0 || !c.Does(emulate.EmptyLogKept) {
		c.Session.undoLog.AddSlow(c.Tx, &c.Env().Stats.Slow, c.slowCall(elapsed), ToInt(length))
	}
}

// addLatency adds the call to the latency monitor, once even if the transaction restarts.
func (c *Call) addLatency(at time.Time, elapsed time.Duration) {
	event := "command"
	if c.Cmd.Flags.Has(Fast) {
		event = "fast-command"
	}
	add := func() { c.Env().Stats.Latency.Add(event, at.Unix(), elapsed.Milliseconds()) }
	if c.Tx.MayRestart() {
		c.Tx.Defer(store.EffectFunc(add))
		return
	}
	add()
}

// slowCall returns the entry of the call for the slow log. Which client a call of a script has differs.
func (c *Call) slowCall(elapsed time.Duration) stats.SlowCall {
	entry := stats.SlowCall{At: c.Env().Clock.Now(), Duration: elapsed, Args: stats.Truncate(c.redacted())}
	switch {
	case c.byServer:
	case !c.fromScript, c.Does(emulate.ScriptCallsNameClient):
		entry.Client, entry.Name = c.Session.Addr, c.Session.Name()
	case !c.Does(emulate.ScriptCallsNameNone):
		entry.Client = "?:0"
	}
	return entry
}
