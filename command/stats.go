package command

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
)

// countReply counts a call that has returned the reply v, and returns v. A call whose transaction restarts is counted
// when it runs again.
func (c *Call) countReply(v resp.Value) resp.Value {
	if c.Tx.Restarting() {
		return v
	}
	if v.Kind() == resp.KindNone && c.countsLater() {
		return v
	}
	s, counts := c.Session, c.Session.counts(c.Cmd)
	s.undoLog.AddCall(s.tx, &counts.Calls)
	if !v.IsError() {
		return v
	}
	s.Add(&counts.Failed, 1)
	if !c.errorCounted {
		s.Add(c.errorCounter(v.Text()), 1)
	}
	s.logError(c.Cmd, v.Text(), c.redacted())
	c.failed(v.Text(), true)
	return v
}

// errorCounter is where INFO errorstats counts an error of the call.
func (c *Call) errorCounter(text string) *atomic.Int64 {
	if c.Cmd.Script != nil && c.Does(emulate.ErrorCodesOverflow) {
		return c.Env().Stats.ScriptErrorCounter(text)
	}
	return c.Env().Stats.ErrorCounter(text)
}

// countRejected counts and logs the error of a call that was rejected; its Cmd is nil if the command is unknown. asked
// says whether the hooks were asked about it.
func (c *Call) countRejected(err error, asked bool) {
	s := c.Session
	if c.Cmd != nil {
		s.Add(&s.counts(c.Cmd).Rejected, 1)
	}
	counted := err.Error()
	if _, ok := err.(deniedInScript); ok && s.env.Table.Server.Does(emulate.CountsNoPerm) {
		counted = "NOPERM"
	}
	s.Add(s.env.Stats.ErrorCounter(counted), 1)
	s.logError(c.Cmd, err.Error(), nil)
	c.failed(err.Error(), asked)
}

// logError logs an error reply at level Debug, with the redacted arguments if they are given. It is safe for concurrent
// use.
func (s *Session) logError(cmd *Command, text string, args [][]byte) {
	log := s.env.Log
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	name := "unknown"
	if cmd != nil {
		name = cmd.FullName()
	}
	attributes := []any{"client", s.ID, "command", name, "error", text}
	if len(args) > 0 {
		attributes = append(attributes, "args", stats.Truncate(args))
	}
	log.Debug("command failed", attributes...)
}

// Add adds n to a counter, once even if the transaction of the session restarts.
func (s *Session) Add(counter *atomic.Int64, n int64) { s.undoLog.Add(s.tx, counter, n) }
