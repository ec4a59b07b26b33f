package command

// How INFO, LATENCY and the slow log count a call that blocks. Before Redis 7.2 it counts when it blocks, later when it
// ends; if the client goes away while it waits, it has not been one.

import (
	"time"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// waits reports whether the call waits for a key.
func (c *Call) waits() bool { return c.blocks() && !c.Session.blocked.Load().background }

// countsLater reports whether the call, which has no reply yet, counts when it ends. Whether the client has made it is
// known now: blockCall has taken that back.
func (c *Call) countsLater() bool {
	if !c.waits() || !c.Does(emulate.BlockedCountAtEnd) {
		return false
	}
	c.Session.undoLog.Calls++
	return true
}

// hasRun adds the time that the call took until it blocked. The timeout may have ended it meanwhile.
func (p *blockedCall) hasRun(elapsed time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took += elapsed
	if p.unblocked || !p.does(emulate.BlockedCountAtEnd) {
		p.session.counts(p.cmd).Nanos.Add(int64(elapsed))
	}
}

func (p *blockedCall) does(b emulate.Behavior) bool { return p.session.env.Table.Server.Does(b) }

// countLocked counts a call that ends with the reply v; none means that the session runs it again, or is closed. The
// caller holds mu.
func (p *blockedCall) countLocked(v resp.Value) {
	if v.Kind() == resp.KindNone || p.background {
		p.session.countServed(p.cmd, v)
		return
	}
	counts, elapsed := p.session.counts(p.cmd), p.served
	if p.does(emulate.BlockedCountAtEnd) {
		counts.Calls.Add(1)
		elapsed += p.took
	}
	counts.Nanos.Add(int64(elapsed))
	if p.session.env.Config.Histograms() && (!p.timedOut || p.does(emulate.BlockedCountAtEnd)) {
		counts.Histogram.Bucket(p.took + p.served).Add(1)
	}
	switch {
	case !p.byUnblock:
		p.session.countServed(p.cmd, v)
	case !v.IsError():
		if p.does(emulate.UnblockFails) {
			counts.Failed.Add(1)
		}
	case p.does(emulate.UnblockRejects):
		counts.Rejected.Add(1)
		p.session.countErrorOfBlocked(p.cmd, v.Text())
	default:
		p.session.countServed(p.cmd, v)
	}
}

// countServed counts the reply of a blocked call, if it is an error. It is safe for concurrent use.
func (s *Session) countServed(cmd *Command, v resp.Value) {
	if v.IsError() {
		s.counts(cmd).Failed.Add(1)
		s.countErrorOfBlocked(cmd, v.Text())
	}
}

// countDenied counts a blocked call that may not be served as a rejected one. It is safe for concurrent use.
func (s *Session) countDenied(cmd *Command, err error) {
	s.counts(cmd).Rejected.Add(1)
	s.countErrorOfBlocked(cmd, err.Error())
}

func (s *Session) countErrorOfBlocked(cmd *Command, text string) {
	(&Call{Cmd: cmd, Session: s}).failed(text, true)
	s.env.Stats.ErrorCounter(text).Add(1)
	s.logError(cmd, text, nil)
}

// serveTimed runs serve for a blocked call, and ends that if it was served. As in Redis, the slow log gets the time of
// serve, not that of the wait.
func (p *blockedCall) serveTimed(c *Call, serve func() (resp.Value, bool)) bool {
	if c.Env().Config.Timing() != config.TimeAll {
		v, ok := serve()
		if ok {
			p.unblockLocked(v)
		}
		return ok
	}
	start := c.Env().Clock.Now()
	v, ok := serve()
	elapsed := c.Env().Clock.Now().Sub(start)
	switch {
	case ok:
		p.served = elapsed
		p.unblockLocked(v)
		c.logSlow(elapsed)
	case p.does(emulate.BlockedCountAtEnd):
		p.took += elapsed
	}
	return ok
}

// logUnserved adds a blocked call that ends without being served to the slow log, like serveTimed. Nothing has run at
// the end, so it is there only if every call is.
func (p *blockedCall) logUnserved() {
	s := p.session
	if s.env.Config.SlowerThan() == 0 && p.does(emulate.UnservedCallsLogged) {
		c := Call{Tx: s.env.Store.NewTx(), Cmd: p.cmd, Args: p.args, Session: s}
		c.logSlow(0)
	}
}
