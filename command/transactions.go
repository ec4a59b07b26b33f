package command

import (
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// queue is the transaction between MULTI and EXEC.
type queue struct {
	calls   []queued
	spoiled bool // a command was refused: EXEC will fail

	mayRestart bool // a script is among the calls
}

type queued struct {
	cmd  *Command
	args [][]byte
}

// add queues a call. Its words are copied: the request buffer is reused before EXEC.
func (q *queue) add(cmd *Command, args [][]byte) {
	size := 0
	for _, arg := range args {
		size += len(arg)
	}
	buf, own := make([]byte, 0, size), make([][]byte, len(args))
	for i, arg := range args {
		start := len(buf)
		buf = append(buf, arg...)
		own[i] = buf[start:len(buf):len(buf)]
	}
	q.calls = append(q.calls, queued{cmd, own})
	q.mayRestart = q.mayRestart || cmd.Flags.Has(MayRestart)
}

// locks are the shards of all queued calls.
func (q *queue) locks(tx *store.Tx) store.Locks {
	var locks store.Locks
	for _, call := range q.calls {
		locks |= call.cmd.Keys.locks(tx, call.args) // undeclared keys of scripts: see store.Tx.Do
	}
	return locks
}

// Begin starts a transaction: MULTI.
func (s *Session) Begin() error {
	if s.multi != nil {
		return errNestedMulti
	}
	s.multi = new(queue)
	return nil
}

// Discard ends a transaction without running it: DISCARD.
func (s *Session) Discard() error {
	if s.multi == nil {
		return errDiscardNoMulti
	}
	s.multi = nil
	s.unwatch()
	return nil
}

// Watch makes EXEC fail if one of the keys changes until then: WATCH.
func (c *Call) Watch(keys [][]byte) error {
	if c.Session.multi != nil {
		return errWatchInMulti
	}
	for _, key := range keys {
		c.Tx.Watch(&c.Session.watch, key)
	}
	return nil
}

// Unwatch forgets the watched keys: UNWATCH. Within EXEC it has nothing to do: EXEC forgets them itself.
func (s *Session) Unwatch() {
	if s.multi == nil {
		s.unwatch()
	}
}

// Exec runs the queued calls, unless a watched key has changed: EXEC.
func (c *Call) Exec() resp.Value {
	s := c.Session
	if s.multi == nil {
		return c.Fail(errExecNoMulti)
	}
	c.Tx.Settle(&s.watch)
	reply := resp.NullArray
	switch {
	case s.multi.spoiled:
		reply = c.Fail(errExecAbort)
	case !s.watch.Dirty():
		reply = c.execQueue(s.multi)
	}
	if c.Tx.Restarting() { // it will run again, and may then find that a watched key has changed meanwhile
		s.watch.Forgive()
		return resp.None
	}
	s.multi = nil
	s.unwatch()
	return reply
}

// execQueue runs the queued calls one after the other, as far as it gets before the transaction has to restart. Each
// reply is encoded when it is there, and so is the array's header before them: a call may change the protocol (HELLO),
// or whether there are replies at all (CLIENT REPLY).
func (c *Call) execQueue(q *queue) resp.Value {
	s, db, silent, proto := c.Session, c.Tx.DB(), c.Session.silent, c.Session.proto
	closing := false
	var out []byte
	if s.silent <= ReplySkipNext {
		out = resp.AppendArrayHeader(out, len(q.calls))
	}
	for _, call := range q.calls {
		inner := Call{Tx: c.Tx, Cmd: call.cmd, Args: call.args, Session: s}
		var v resp.Value
		if err := s.permitQueued(call.cmd, call.args); err != nil {
			v = inner.counted(inner.Fail(err))
		} else {
			v = inner.within()
		}
		if c.Tx.Restarting() { // it will run again
			c.Tx.Select(db)
			s.SetReplies(silent)
			s.proto = proto
			return resp.None
		}
		if s.answers(v) && !closing {
			out = resp.Append(out, v, s.proto)
		}
		closing = s.Closing // the call that ends the connection is the last one that is answered
	}
	return resp.Encoded(out)
}
