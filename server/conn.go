package server

import (
	"net"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// conn is the state machine of one client's connection: it is fed bytes, serves the complete commands in them in order, and
// hands their replies to its driver in one piece per batch. Its driver, which reads and writes, is the only one to call it;
// but Push and Kill are called from anywhere.
type conn struct {
	server  *Server
	session *command.Session
	in      request
	out     outbox
	driver  driver
	batch   int         // how many commands have been served at once
	shared  bool        // replies take their turn with pushed messages
	errands []errand    // see lend
	doubted atomic.Bool // the client seemed to be idle; see overdue
}

// errand is another connection with pushed messages to be written.
type errand interface{ writeNow() }

// maxErrands bounds how many connections one writes for: with more of them, the loops share the work.
const maxErrands = 8

// lend makes this connection write what it has pushed to another, once its command is done: that is sooner than the other's own
// loop would come to it, and wakes nobody. It is called while this connection is served, and reports false if it has enough to do.
func (c *conn) lend(to errand) bool {
	if len(c.errands) == maxErrands {
		return false
	}
	c.errands = append(c.errands, to)
	return true
}

func (c *conn) runErrands() {
	for _, e := range c.errands {
		e.writeNow()
	}
	clear(c.errands)
	c.errands = c.errands[:0]
}

// driver moves a connection's bytes: a goroutine (driver_goroutine.go) or one of a few epoll loops (driver_epoll.go).
type driver interface {
	// send writes replies of a connection that has no pushed messages; false means that the connection is gone.
	send(out []byte) bool
	// flush sees to it that the outbox is written; false means that the connection is gone.
	flush() bool
	// kill closes the connection soon; it may be called from any goroutine, under any lock.
	kill()
	// wake makes the driver call resume soon; it may be called from any goroutine, under any lock.
	wake()
}

// flushSize is how many bytes of replies may gather within one batch.
const flushSize = 64 << 10

func newConn(s *Server, local, remote net.Addr) *conn {
	c := &conn{server: s}
	c.session = command.NewSession(&s.env, s.nextID.Add(1), s.addrText(remote), s.addrText(local), c)
	c.in.authed, c.in.maxBulk = c.session.Authenticated, s.env.Config.MaxBulk
	c.out.overrun, c.out.ended.L = c.Kill, &c.out.mu
	c.out.limit = outputLimit{clock: s.clock, current: c.session.OutputLimit}
	return c
}

// addrText is how CLIENT LIST shows an end of a connection: those of a Unix domain socket are its path and port 0.
func (s *Server) addrText(a net.Addr) string {
	switch a.(type) {
	case nil:
		return ""
	case *net.UnixAddr:
		return s.options.UnixSocket + ":0"
	}
	return a.String()
}

// feed serves every complete command that has been read. It reports whether to go on; the replies are left to flush.
func (c *conn) feed() bool {
	c.session.TakeMail()
	c.batch = 0
	for ; !c.session.Closing && !c.session.Parked(); c.batch++ {
		args, err := c.in.next()
		if err != nil {
			c.session.Out = resp.Append(c.session.Out, resp.Error("ERR Protocol error: "+err.Error()), resp.RESP2)
			c.session.Closing = true
			break
		}
		if args == nil {
			break
		}
		c.session.SameMoment(c.batch > 0)
		c.session.Serve(args)
		if len(c.errands) > 0 {
			c.runErrands()
		}
		if len(c.session.Out) >= flushSize && !c.flush() {
			return false
		}
	}
	c.alive()
	return !c.session.Closing
}

// resume goes on with a session that was parked, if its waiting is over, and with what the client has sent meanwhile.
func (c *conn) resume() bool {
	if c.overdue() {
		return false
	}
	if !c.session.Awake() {
		c.session.TakeMail()
		return true
	}
	c.session.Resume()
	c.runErrands()
	return c.feed()
}

// flush sends the replies gathered so far.
func (c *conn) flush() bool {
	out := c.session.Out
	if c.shared {
		if len(out) > 0 {
			c.Post(out)
			c.session.Out = out[:0]
		}
		return c.driver.flush()
	}
	if len(out) == 0 {
		return true
	}
	ok := c.send(out)
	if c.session.Out = out[:0]; cap(out) > buffer.Large {
		buffer.Drop(out)
		c.session.Out = nil
	}
	return ok
}

// send sends replies that no pushed messages may overtake.
func (c *conn) send(out []byte) bool {
	if len(out) > freeReply {
		switch tooMuch, watched := c.out.tooMuch(len(out)); {
		case tooMuch:
			return false
		case watched:
			c.out.post(out, c.session.Proto())
			return c.driver.flush()
		}
	}
	return c.driver.send(out)
}

// Pending implements command.Peer.
func (c *conn) Pending() int { return c.out.unsent() }

// Push implements command.Peer.
func (c *conn) Push(m *pubsub.Message) {
	from, _ := m.From().(*conn)
	c.out.push(m, from)
}

// Post implements command.Peer.
func (c *conn) Post(out []byte) {
	c.shared = true
	c.out.post(out, c.session.Proto())
}

// Cork implements command.Peer.
func (c *conn) Cork() { c.out.cork() }

// Wake implements command.Peer.
func (c *conn) Wake() { c.driver.wake() }

// Kill implements command.Peer.
func (c *conn) Kill() { c.driver.kill() }
