package command

// MULTI, EXEC, DISCARD and WATCH (Redis documentation: transactions). EXEC locks the shards of all queued keys and of
// the watched ones, so that no other client sees a part of it; the calls then run within the one transaction of EXEC.
// Nothing is rolled back if one of them fails, as in Redis.
//
// If a queued script needs another shard, the whole EXEC runs again with all shards. Until then no other client has
// seen its writes, but the state of the session itself, such as the database and CLIENT REPLY, has to be restored
// here.

import (
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// queue holds the calls between MULTI and EXEC.
type queue struct {
	calls   []queued
	aborted bool // a command was rejected: EXEC replies EXECABORT

	mayRestart bool // one of the calls has the flag MayRestart
	runs       bool // by EXEC

	selects  bool // one of the calls is a SELECT
	selected int  // by the last one
}

type queued struct {
	cmd  *Command
	args [][]byte
}

// add queues a call.
func (q *queue) add(cmd *Command, args [][]byte) {
	q.calls = append(q.calls, queued{cmd, CopyArgs(args)})
	q.mayRestart = q.mayRestart || cmd.Flags.Has(MayRestart)
	if cmd.Databases.Selects {
		if n, err := ParseInt(args[1]); err == nil {
			q.selects, q.selected = true, ToInt(n)
		}
	}
}

// locks returns the shards of the keys of all queued calls.
func (q *queue) locks(tx *store.Tx) store.Locks {
	var locks store.Locks
	for _, call := range q.calls {
		locks |= call.cmd.Keys.locks(tx, call.args)
	}
	return locks
}

// errNoMulti is the error of a command that MULTI does not take.
func (s *Session) errNoMulti(cmd *Command) error {
	if s.env.Table.Server.Does(emulate.NamesCommandInTransaction) {
		return words.Errorf("ERR Command '%s' not allowed inside a transaction", cmd.FullName())
	}
	return words.Errorf("ERR Command not allowed inside a transaction")
}

// Begin implements MULTI.
func (s *Session) Begin() error {
	if s.multi != nil {
		return errNestedMulti
	}
	s.multi = new(queue)
	s.info.prepared.Store(true)
	return nil
}

// Discard implements DISCARD.
func (s *Session) Discard() error {
	if s.multi == nil {
		return errDiscardNoMulti
	}
	s.multi = nil
	s.unwatch()
	return nil
}

// Watch implements WATCH: EXEC replies with a null if one of the keys changes before.
func (c *Call) Watch(keys [][]byte) error {
	if c.Session.multi != nil {
		return errWatchInMulti
	}
	for _, key := range keys {
		c.Tx.Watch(&c.Session.watch, key)
	}
	c.Session.info.watched.Store(int64(c.Session.watch.Len()))
	c.Session.info.prepared.Store(true)
	return nil
}

// Unwatch implements UNWATCH. Within EXEC it does nothing, since EXEC unwatches all keys itself.
func (s *Session) Unwatch() {
	if s.multi == nil {
		s.unwatch()
	}
}

// Exec implements EXEC. The transaction must hold the shards of the queued calls and of the watched keys.
func (c *Call) Exec() resp.Value {
	s := c.Session
	if s.multi == nil {
		return c.Fail(errExecNoMulti)
	}
	s.multi.runs = true
	c.Tx.ExpireWatched(&s.watch)
	reply := resp.NullArray
	switch {
	case s.multi.aborted:
		reply = c.Fail(errExecAbort)
	case !s.watch.Dirty():
		reply = c.execQueue(s.multi)
	}
	if c.Tx.Restarting() { // its own writes must not count as changes of watched keys when EXEC runs again
		s.watch.ClearDirty()
		return resp.None
	}
	c.executed, s.multi = s.multi, nil
	s.unwatch()
	return reply
}

// execQueue runs the queued calls in order, and stops where the transaction has to restart. It encodes the array's
// header and each reply at once, since a call may change the protocol (HELLO) or turn replies off (CLIENT REPLY).
func (c *Call) execQueue(q *queue) resp.Value {
	s, db, replyMode, proto := c.Session, c.Tx.DB(), c.Session.replyMode, c.Session.proto
	closing := false
	var out []byte
	if s.replyMode <= ReplySkipNext {
		out = resp.AppendArrayHeader(out, len(q.calls))
	}
	for _, call := range q.calls {
		inner := Call{Tx: c.Tx, Cmd: call.cmd, Args: call.args, Session: s}
		var v resp.Value
		if err := s.permitQueued(call.cmd, call.args); err != nil {
			v = inner.countReply(inner.Fail(err))
		} else {
			v = inner.runNested()
		}
		if c.Tx.Restarting() {
			c.Tx.Select(db)
			s.SetReplies(replyMode)
			s.proto = proto
			return resp.None
		}
		if s.sendsReply(v) && !closing {
			out = resp.Append(out, v, s.proto)
		}
		if inner.logsLarge() {
			inner.logLargeQueued(c, len(out))
		}
		closing = s.Closing // QUIT is the last call to get a reply
	}
	return resp.Encoded(out)
}
