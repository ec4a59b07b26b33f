package command

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// A blocking command such as BLPOP first runs like any other. If its keys have nothing for it, the handler calls Block:
// the session becomes blocked and a waiter is registered for the keys (store/waiters.go). No goroutine waits, and the
// connection reads no further commands.
//
// A transaction that adds to one of the keys serves the call before it unlocks the shards, in the order in which
// clients blocked. So no other client can pop the element in between. The timeout, CLIENT UNBLOCK and the end of the
// connection compete with that; blockedCall.mu makes the first of them win.
//
// The states of a session:
//
//	            Call.Block             serve, expire, Unblock, end, Close
//	running -----------------> blocked -----------------------------------> unblocked ---- Resume ----> running
//	                              ^                                              |
//	                              +---- Resume, mustRetry, and no key serves ----+
//
// If serving needs another shard (BLMOVE's destination) which is locked just then, the transaction wakes the session
// instead, and the session runs the command again itself (retry).
//
// A command that CLIENT PAUSE or Hooks stop before it runs is a blockedCall as well (blockStopped), and so is one that
// works in the background.

// Attempt tries to serve a blocking command from one of its keys. ok is false if the key has nothing for it. It may
// run in the goroutine of another client, whose transaction has changed the key: it must not use the fields of
// c.Session that belong to the client's own goroutine (see Session), such as the arena behind Call.Elements.
type Attempt func(c *Call, key []byte) (reply resp.Value, ok bool)

// blockedCall is the call that blocks a session.
type blockedCall struct {
	session      *Session
	cmd          *Command
	args         [][]byte
	keys         [][]byte
	waiter       store.Waiter
	try          Attempt
	timeoutReply resp.Value
	timer        clock.Timer // nil without a timeout
	retryTimer   clock.Timer // see Call.RetryIn; nil for most, guarded by mu
	noReply      bool        // CLIENT REPLY is OFF or SKIP
	proto        int         // RESP version of the reply

	closes     atomic.Bool // the connection is closed after the reply: see UnblockByRole
	stopped    bool        // before it ran, by CLIENT PAUSE or Hooks, so Resume runs it; keys, waiter and try are unset
	background bool        // by Call.Background; keys, waiter and try are unset
	hooked     bool        // Hooks have been asked about it
	cancel     func()      // tells the Hooks that the call is no longer held; nil if they do not hold it
	cut        *replyCut   // see executeCut; nil for most calls

	mu        lockrank.Mutex[lockrank.BlockedCall] // guards the fields below; once unblocked, the session has them
	unblocked bool
	mustRetry bool          // Resume runs the command again: it needs a shard that was not free when the key changed
	timedOut  bool          // the timeout has passed
	byUnblock bool          // CLIENT UNBLOCK ends it
	took      time.Duration // until it blocked and in vain later, while calls are timed
	served    time.Duration // the attempt that served it, while calls are timed
	hold      func()        // releases the clock that a timer has stopped until the session resumes; nil otherwise
}

// Block blocks the session until try succeeds for one of the keys or the timeout has passed; 0 is no timeout. kind is a
// value of the type that the keys must have. A handler returns the result of Block as its own, which is no reply yet.
// Within EXEC or a script nothing blocks: Block returns timeoutReply, as Redis does.
func (c *Call) Block(keys [][]byte, kind store.Value, timeout time.Duration, try Attempt,
	timeoutReply resp.Value) resp.Value {
	if c.nested {
		return timeoutReply
	}
	s := c.Session
	s.postReplies()
	p := &blockedCall{session: s, cmd: c.Cmd, args: CopyArgs(c.Args), keys: CopyArgs(keys), try: try,
		timeoutReply: timeoutReply,
		noReply:      s.replyMode != ReplyOn, cut: s.cut, proto: s.proto}
	p.waiter.Serve, p.waiter.Done, p.waiter.Kind, p.waiter.WhenGone = p.serve, p.done, kind, c.whenGone
	if timeout > 0 {
		p.timer = c.Env().Clock.AfterFunc(timeout, p.expire)
	}
	p.retryIn(c.retryIn)
	s.blockCall(p)
	c.Tx.Await(&p.waiter, p.keys)
	return resp.None
}

// ServeWhenGone makes a call that blocks be served, too, when a stream that it waits for is gone. A handler calls it
// before Block.
func (c *Call) ServeWhenGone() { c.whenGone = true }

// RetryIn makes a call that blocks try again after a time even if no key changes by then. A handler calls it before
// Block, an attempt before it fails.
func (c *Call) RetryIn(d time.Duration) { c.retryIn = d }

// retryIn starts the timer of RetryIn, unless d is 0. The caller holds mu, or nobody else knows p yet.
func (p *blockedCall) retryIn(d time.Duration) {
	if p.retryTimer != nil {
		p.retryTimer.Stop()
		p.retryTimer = nil
	}
	if d > 0 {
		p.retryTimer = p.session.env.Clock.AfterFunc(d, p.retryNow)
	}
}

// retryNow makes the session run the call again.
func (p *blockedCall) retryNow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.unblocked {
		p.mustRetry = true
		p.unblockByTimerLocked(resp.None)
	}
}

// postReplies queues the replies to the commands before a call whose reply another goroutine may queue at any time.
func (s *Session) postReplies() {
	if len(s.Out) > 0 {
		s.Out = s.peer.Post(s.Out)
	}
}

// blockCall blocks the session with a call that has run. The call ends, and counts, when Resume has its reply.
func (s *Session) blockCall(p *blockedCall) {
	s.blocked.Store(p)
	s.undoLog.Calls--
}

// blockStopped blocks the session with a call that has not run: Resume runs it. hooked says whether Hooks have been
// asked about it.
func (s *Session) blockStopped(cmd *Command, args [][]byte, hooked bool) *blockedCall {
	p := &blockedCall{session: s, cmd: cmd, args: CopyArgs(args), stopped: true, hooked: hooked}
	s.blocked.Store(p)
	return p
}

// serve implements store.Waiter.
func (p *blockedCall) serve(tx *store.Tx, key []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unblocked {
		return
	}
	if !tx.Extend(p.cmd.Keys.locks(tx, p.args)) {
		p.mustRetry = true
		p.unblockLocked(resp.None)
		return
	}
	p.attemptLocked(tx, key)
}

// attemptLocked tries to serve the call from a key and reports whether it did. The caller holds mu.
func (p *blockedCall) attemptLocked(tx *store.Tx, key []byte) (served bool) {
	c := Call{Tx: tx, Cmd: p.cmd, Args: p.args, Session: p.session}
	defer func() {
		if r := recover(); r != nil { // must not fail the command of the other client, whose transaction this is
			p.unblockLocked(c.panicked(r))
			served = true
		}
	}()
	if err := c.permitAgain(); err != nil {
		p.rejectLocked(err)
		return true
	}
	return p.serveTimed(&c, func() (resp.Value, bool) {
		before := tx.Changes()
		v, ok := p.try(&c, key)
		if c.Propagates() {
			c.propagateChange(before)
			c.Env().endUnit(tx)
		}
		if !ok && c.retryIn > 0 {
			p.retryIn(c.retryIn)
		}
		return v, ok
	})
}

// retry runs in the goroutine of the session, with the shards of all keys locked. If no key serves the call, the
// session stays blocked unless the timeout has passed.
func (p *blockedCall) retry() {
	tx := p.session.tx
	tx.Do(p.cmd.Keys.locks(tx, p.args), false, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.unblocked, p.mustRetry = false, false
		for _, key := range p.keys {
			if p.attemptLocked(tx, key) {
				return
			}
		}
		if p.timedOut {
			p.logUnserved()
			p.unblockLocked(p.timeoutReply)
			return
		}
		tx.Await(&p.waiter, p.keys)
	}, func() {})
}

// done reports whether the session is unblocked. It implements store.Waiter.
func (p *blockedCall) done() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unblocked
}

// end unblocks the session with a reply and reports true, unless it is unblocked already.
func (p *blockedCall) end(v resp.Value) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.endLocked(v)
}

// unblock is end for CLIENT UNBLOCK.
func (p *blockedCall) unblock(v resp.Value) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byUnblock = !p.unblocked
	return p.endLocked(v)
}

func (p *blockedCall) endLocked(v resp.Value) bool {
	if p.unblocked {
		return false
	}
	if v.Kind() != resp.KindNone {
		p.logUnserved()
	}
	p.unblockLocked(v)
	return true
}

// expire runs when the timeout has passed. If a retry is due, that decides: the call is served if one of its keys has
// something for it.
func (p *blockedCall) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timedOut = true; !p.unblocked {
		p.logUnserved()
		p.unblockByTimerLocked(p.timeoutReply)
	}
}

// unblockByTimerLocked is unblockLocked for a timer. It holds the clock, so that Server.Advance returns only after the
// session has resumed.
func (p *blockedCall) unblockByTimerLocked(v resp.Value) {
	p.hold = clock.Hold(p.session.env.Clock)
	p.unblockLocked(v)
}

// runStopped makes the session run its stopped command.
func (p *blockedCall) runStopped() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.unblocked {
		p.unblockByTimerLocked(resp.None)
	}
}

// releaseClock releases the clock if a timer has unblocked the session.
func (p *blockedCall) releaseClock() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hold != nil {
		p.hold()
		p.hold = nil
	}
}

// unblockLocked ends the wait with a reply, or with none if v is resp.None. It may run in any goroutine, under the
// locks of shards, so the reply goes to Peer.Deliver and not to Session.Out. The caller holds mu.
func (p *blockedCall) unblockLocked(v resp.Value) {
	p.countLocked(v)
	p.replyLocked(v)
}

// rejectLocked is unblockLocked for a call that is not run again.
func (p *blockedCall) rejectLocked(err error) {
	p.session.countDenied(p.cmd, err)
	p.replyLocked(resp.Error(err.Error()))
}

// replyLocked is unblockLocked without the statistics.
func (p *blockedCall) replyLocked(v resp.Value) {
	p.unblocked = true
	p.session.tx.Store().StopCounting(&p.waiter)
	var reply []byte
	if !p.noReply && v.Kind() != resp.KindNone {
		reply = resp.Append(nil, v, p.proto)
	}
	if p.cut != nil {
		reply = reply[:min(len(reply), p.cut.bytes)]
	}
	if len(reply) == 0 {
		p.session.peer.Wake()
		return
	}
	p.session.peer.Deliver(reply)
}

// Blocked reports whether a command blocks the session. Its connection must not call Serve then. It is safe for
// concurrent use.
func (s *Session) Blocked() bool { return s.blocked.Load() != nil }

// CanResume reports whether the session is blocked and Resume can end that. It is safe for concurrent use.
func (s *Session) CanResume() bool {
	p := s.blocked.Load()
	return p != nil && p.done()
}

// Resume ends the blocked state, or runs the stopped command. The session may be blocked again afterwards. The
// connection calls it once the session is CanResume. serveMore serves what the client has sent since; only then a clock
// that is being advanced goes on, so that commands which follow in a pipeline see the time at which this one ended.
func (s *Session) Resume(serveMore func()) {
	p := s.blocked.Load()
	defer p.releaseClock()
	s.resume(p)
	serveMore()
}

func (s *Session) resume(p *blockedCall) {
	if p.stopped {
		s.endHold(p)
		s.blocked.Store(nil)
		s.serveAgain(p.args, p.hooked)
		return
	}
	if p.mustRetry {
		p.retry()
		s.releasePushes()
		if !p.done() {
			return
		}
	}
	s.endBlocking(p)
	s.undoLog.Calls++
	s.Touch()
	s.Closing = s.Closing || p.closes.Load()
	switch {
	case p.cut == nil:
	case p.cut.again:
		s.serveAgain(p.args, true)
	default:
		s.closeAfterCut()
	}
}

// serveAgain serves a command that was served before but has not run, or is to run twice.
func (s *Session) serveAgain(args [][]byte, hooked bool) {
	s.ReuseTime(false)
	s.hooked = hooked
	s.Serve(args)
	s.hooked = false
}

// endHold tells the Hooks that hold a call that they need not any more.
func (s *Session) endHold(p *blockedCall) {
	if p.cancel != nil {
		p.cancel()
	}
}

// endBlocking removes a call that is no longer blocked from the store, the pause and the clock.
func (s *Session) endBlocking(p *blockedCall) {
	s.tx.Store().StopCounting(&p.waiter)
	if p.timer != nil {
		p.timer.Stop()
	}
	p.mu.Lock()
	p.retryIn(0)
	p.mu.Unlock()
	if p.stopped {
		s.endHold(p)
		s.env.pause.forget(p)
	}
	s.tx.Store().Leave(&p.waiter)
	s.blocked.Store(nil)
}

// UnblockByRole ends a blocked call with an error, and closes the connection, since the server has become a replica. It
// is safe for concurrent use.
func (s *Session) UnblockByRole() {
	p := s.blocked.Load()
	if p == nil || p.stopped || p.background {
		return
	}
	p.closes.Store(true)
	p.unblock(resp.Error("UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"))
}

// Unblock implements CLIENT UNBLOCK for the session, which may be another client's: the reply is that of a timeout, or
// an error. It reports whether the session was blocked. It is safe for concurrent use.
func (s *Session) Unblock(withError bool) bool {
	p := s.blocked.Load()
	switch {
	case p == nil, p.stopped, p.background:
		return false
	case withError:
		return p.unblock(resp.Error("UNBLOCKED client unblocked via CLIENT UNBLOCK"))
	}
	return p.unblock(p.timeoutReply)
}
