package command

import (
	"time"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/store"
)

// canBeSlow reports whether a call may take long: its work grows with its arguments or with what the key holds. Of
// EXEC that is true for what it runs.
func (c *Command) canBeSlow() bool { return !c.Flags.Has(Fast | Brief | SkipSlowlog) }

// measured runs the handler and takes its time as far as that is asked for.
func (c *Call) measured() resp.Value {
	switch c.Env().Config.Timing() {
	case config.TimeAll:
		start := c.Env().Clock.Now()
		v := c.Cmd.Run(c)
		c.took(start)
		return v
	case config.TimeSlow:
		return c.measuredOnce()
	}
	return c.Cmd.Run(c)
}

// measuredOnce looks at the clock after calls that can be slow: the transaction tells when they began, but for those
// of EXEC and of scripts.
func (c *Call) measuredOnce() resp.Value {
	if !c.Cmd.canBeSlow() {
		return c.Cmd.Run(c)
	}
	start := c.Tx.Time()
	if c.nested {
		start = c.Env().Clock.Now()
	}
	v := c.Cmd.Run(c)
	if c.waits() {
		return v
	}
	end := c.Env().Clock.Now()
	if !c.nested {
		c.Session.endsAt(end)
	}
	c.logSlow(end.Sub(start))
	return v
}

// took books the time since start: in INFO commandstats, the histograms, the latency monitor and the slow log.
func (c *Call) took(start time.Time) {
	if c.Tx.Restarting() {
		return // it runs again
	}
	took := c.Env().Clock.Now().Sub(start)
	counts, cfg := c.Session.counts(c.Cmd), c.Env().Config
	c.Session.Add(&counts.Nanos, int64(took))
	if cfg.Histograms() {
		c.Session.Add(counts.Histogram.Bucket(took), 1)
	}
	if c.waits() {
		return
	}
	c.logSlow(took)
	if threshold := cfg.LatencyThreshold(); threshold > 0 && took.Milliseconds() >= threshold {
		c.addLatency(start, took)
	}
}

// waits reports whether the call has blocked its session: it is logged once it is served.
func (c *Call) waits() bool { return !c.nested && c.Session.Blocked() }

// serveLogged is serve for a call that has waited: what it takes to serve it is what the slow log is told.
func (c *Call) serveLogged(serve func() bool) bool {
	if c.Env().Config.Timing() != config.TimeAll {
		return serve()
	}
	start := c.Env().Clock.Now()
	ok := serve()
	if ok {
		c.logSlow(c.Env().Clock.Now().Sub(start))
	}
	return ok
}

// logSlow puts the call into the slow log if it belongs there.
func (c *Call) logSlow(took time.Duration) {
	slower := c.Env().Config.SlowerThan()
	if slower >= 0 && took.Microseconds() >= slower && c.logged() {
		c.Session.journal.AddSlow(c.Tx, &c.Env().Stats.Slow, c.slowCall(took), ClampInt(c.Env().Config.SlowLogLen()))
	}
}

// logged reports whether the slow log takes such calls: not those of which it takes what they run, nor one that is to
// run again.
func (c *Call) logged() bool { return !c.Cmd.Flags.Has(SkipSlowlog) && !c.Tx.Restarting() }

// addLatency adds the call to the latency monitor, once however often the transaction runs.
func (c *Call) addLatency(at time.Time, took time.Duration) {
	event := "command"
	if c.Cmd.Flags.Has(Fast) {
		event = "fast-command"
	}
	add := func() { c.Env().Stats.Latency.Add(event, at.Unix(), took.Milliseconds()) }
	if c.Tx.MayRestart() {
		c.Tx.Defer(store.EffectFunc(add))
		return
	}
	add()
}

// scriptClient is where calls of scripts come from: a client without a connection, as in Redis.
const scriptClient = "?:0"

// slowCall is the entry of the call.
func (c *Call) slowCall(took time.Duration) stats.SlowCall {
	entry := stats.SlowCall{At: c.Env().Clock.Now(), Took: took, Args: stats.Abridge(c.redacted()), Client: scriptClient}
	if !c.scripted {
		entry.Client, entry.Name = c.Session.Addr, c.Session.Name()
	}
	return entry
}
