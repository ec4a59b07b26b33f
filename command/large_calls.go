package command

import (
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/store"
)

// logsLarge reports whether the server has logs of large requests and large replies (COMMANDLOG). It is asked before
// each of the methods below, so that others pay no more than this.
func (c *Call) logsLarge() bool { return c.Does(emulate.LargeCallsLogged) }

// logLarge adds a call that a client has sent to the logs, once it has its reply. A call that blocks, and what it gets
// later, does not count.
func (c *Call) logLarge() {
	if c.Session.Blocked() {
		return
	}
	request, _ := requestSize(c.Args)
	c.logSizes(request, c.Session.replied)
}

// logLargeQueued is logLarge for a call of EXEC. It counts as having the request of that, and the reply so far.
func (c *Call) logLargeQueued(exec *Call, reply int) {
	request, _ := requestSize(exec.Args)
	c.logSizes(request, reply)
}

// logLargeFromScript is logLarge for a call of a script, which has no request.
func (s *scriptCaller) logLargeFromScript(v resp.Value) {
	if s.inner.Does(emulate.ScriptCallsHaveSizes) {
		s.encoded = resp.Append(s.encoded[:0], v, resp.RESP2)
		s.inner.logSizes(0, len(s.encoded))
		return
	}
	request, _ := requestSize(s.outer.Args)
	s.inner.logSizes(request, 0)
}

func (c *Call) logSizes(request, reply int) {
	if c.Cmd.Flags.Has(SkipCommandLog) || c.Tx.Restarting() {
		return
	}
	c.logIfLarge(stats.LargeRequest, request)
	c.logIfLarge(stats.LargeReply, reply)
}

// logIfLarge adds the call to one of the logs if it has at least as many bytes as the parameter for it says. A
// transaction that may restart adds it when it commits.
func (c *Call) logIfLarge(kind stats.Large, bytes int) {
	limit := c.Env().Config.LargeCalls(kind)
	if limit.Bytes < 0 || int64(bytes) < limit.Bytes || limit.Length == 0 {
		return
	}
	entry := c.slowCall(0)
	entry.Bytes = int64(bytes)
	add := func() { c.Env().Stats.Large[kind].Add(entry, ToInt(limit.Length)) }
	if c.Tx.MayRestart() {
		c.Tx.Defer(store.EffectFunc(add))
		return
	}
	add()
}
