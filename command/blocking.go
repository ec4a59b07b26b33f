package command

import (
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// A blocking command tries once like any other. Where it finds nothing, and may wait, its session is blocked: the
// connection reads no further, and no goroutine waits. Whoever then changes one of its keys serves it within his own
// transaction, so that nobody comes between the push and the pop. The time that runs out, CLIENT UNBLOCK and the end of
// the connection compete with that; the first one unblocks it.

// Attempt tries to serve a blocking command from one of its keys.
type Attempt func(c *Call, key []byte) (reply resp.Value, ok bool)

// blockedCall is a session that waits.
type blockedCall struct {
	session *Session
	cmd     *Command
	args    [][]byte
	keys    [][]byte
	waiter  store.Waiter
	try     Attempt
	late    resp.Value // the reply when the time runs out
	timer   clock.Timer
	muted   bool // CLIENT REPLY
	proto   int  // of the reply

	postponed bool // it does not wait for a key, but for the end of CLIENT PAUSE

	mu        lockrank.Mutex[lockrank.BlockedCall] // guards what follows
	unblocked bool
	again     bool   // the command has to be run again: it could not be served where the key was changed
	expired   bool   // the time ran out meanwhile
	hold      func() // of the clock that has ended the waiting, until the session goes on; else nil
}

// Block makes the session wait for one of the keys, for as long as timeout, or for ever if that is 0. It is the
// handler's last act; the value it returns is no reply. Within EXEC or a script nothing waits: the reply is that of a
// timeout.
func (c *Call) Block(keys [][]byte, kind store.Value, timeout time.Duration, try Attempt, late resp.Value) resp.Value {
	if c.nested {
		return late
	}
	s := c.Session
	p := &blockedCall{session: s, cmd: c.Cmd, args: CopyArgs(c.Args), keys: CopyArgs(keys), try: try, late: late,
		muted: s.silent != ReplyOn, proto: s.proto}
	p.waiter.Serve, p.waiter.Done, p.waiter.For = p.serve, p.done, kind
	if timeout > 0 {
		p.timer = c.Env().Clock.AfterFunc(timeout, p.expire)
	}
	s.blocked.Store(p)
	c.Tx.Await(&p.waiter, p.keys)
	return resp.None
}

// serve implements store.Waiter.
func (p *blockedCall) serve(tx *store.Tx, key []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unblocked {
		return
	}
	if !tx.Extend(p.cmd.Keys.locks(tx, p.args)) {
		p.again = true
		p.unblock(resp.None)
		return
	}
	p.attempt(tx, key)
}

// attempt needs mu. It reports whether the key served.
func (p *blockedCall) attempt(tx *store.Tx, key []byte) (served bool) {
	c := Call{Tx: tx, Cmd: p.cmd, Args: p.args, Session: p.session}
	defer func() {
		if r := recover(); r != nil { // else it would be the client whose command has changed the key that pays for it
			p.unblock(c.panicked(r))
			served = true
		}
	}()
	return c.serveLogged(func() bool {
		v, ok := p.try(&c, key)
		if ok {
			p.unblock(v)
		}
		return ok
	})
}

// retry tries all keys, since that was not possible where one of them was changed. If none serves the session waits on,
// unless its time has run out.
func (p *blockedCall) retry() {
	tx := p.session.tx
	tx.Do(p.cmd.Keys.locks(tx, p.args), false, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.unblocked, p.again = false, false
		for _, key := range p.keys {
			if p.attempt(tx, key) {
				return
			}
		}
		if p.expired {
			p.unblock(p.late)
			return
		}
		tx.Await(&p.waiter, p.keys)
	}, func() {})
}

func (p *blockedCall) done() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unblocked
}

// end ends the waiting with a reply, unless something else has. It reports whether it did.
func (p *blockedCall) end(v resp.Value) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unblocked {
		return false
	}
	p.unblock(v)
	return true
}

func (p *blockedCall) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.expired = true; !p.unblocked {
		p.unblockByClock(p.late)
	}
}

// unblockByClock is unblock by a timer: a test that moves the clock goes on when the session has. It needs mu.
func (p *blockedCall) unblockByClock(v resp.Value) {
	p.hold = clock.Hold(p.session.env.Clock)
	p.unblock(v)
}

// endPause lets a postponed command be run.
func (p *blockedCall) endPause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.unblocked {
		p.unblockByClock(resp.None)
	}
}

// releaseClock lets the clock go on.
func (p *blockedCall) releaseClock() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hold != nil {
		p.hold()
		p.hold = nil
	}
}

// unblock needs mu. It may run in any goroutine, so of the session it touches only what is safe for that: the reply
// goes out by the connection's outbox, where it keeps its place among pushed messages.
func (p *blockedCall) unblock(v resp.Value) {
	p.unblocked = true
	p.session.tx.Store().Over(&p.waiter)
	p.session.countServed(p.cmd, v)
	if p.muted || v.Kind() == resp.KindNone {
		p.session.peer.Wake()
		return
	}
	p.session.peer.Deliver(resp.Append(nil, v, p.proto))
}

// Blocked reports whether the session waits: its connection must not give it another command. It may be called by the
// connection only.
func (s *Session) Blocked() bool { return s.blocked.Load() != nil }

// Awake reports whether the waiting is over, so that Resume may be called.
func (s *Session) Awake() bool {
	p := s.blocked.Load()
	return p != nil && p.done()
}

// Resume goes on after the waiting: the reply is appended, and the session takes commands again, unless it has to wait
// further. It is called by the connection, once Awake.
func (s *Session) Resume() {
	p := s.blocked.Load()
	defer p.releaseClock()
	if p.postponed {
		s.blocked.Store(nil)
		s.ReuseTime(false)
		s.Serve(p.args)
		return
	}
	if p.again {
		p.retry()
		if !p.done() {
			return
		}
	}
	s.endBlocking(p)
	s.Touch()
}

// endBlocking forgets a waiting that is over.
func (s *Session) endBlocking(p *blockedCall) {
	defer p.releaseClock()
	s.tx.Store().Over(&p.waiter)
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.postponed {
		s.env.pause.forget(p)
	}
	s.tx.Store().Leave(&p.waiter)
	s.blocked.Store(nil)
}

// Unblock ends the waiting of a session from outside: as if its time had run out, or with an error. It reports whether
// the session was waiting. (CLIENT UNBLOCK command page.)
func (s *Session) Unblock(withError bool) bool {
	p := s.blocked.Load()
	switch {
	case p == nil, p.postponed:
		return false
	case withError:
		return p.end(resp.Error("UNBLOCKED client unblocked via CLIENT UNBLOCK"))
	}
	return p.end(p.late)
}
