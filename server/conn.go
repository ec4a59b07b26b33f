package server

import (
	"net"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/pubsub"
)

// conn is the state machine of one client's connection: it is fed bytes, serves the complete commands in them in order, and
// hands their replies to its driver in one piece per batch. Only the goroutine that serves the connection may use it, see serve;
// but Push, Deliver, Wake, Kill and Pending are called from anywhere: they touch the outbox and the driver's signals only.
type conn struct {
	server   *Server
	session  *command.Session
	in       request
	out      outbox
	driver   driver
	batch    int              // how many commands have been served at once
	shared   bool             // replies take their turn with pushed messages
	deferred []deferredWriter // see deferWrite
	ended    bool             // see end

	maybeIdle atomic.Bool // the client seemed to be idle; see overdue
}

// deferredWriter is another connection with pushed messages to be written.
type deferredWriter interface{ writeNow() }

// maxDeferred bounds how many connections one writes for: with more of them, the loops share the work.
const maxDeferred = 8

// deferWrite makes this connection write what it has pushed to another, once its command is done: that is sooner than the other's
// own loop would come to it, and wakes nobody. It is called while this connection is served, and reports false if it has enough to do.
func (c *conn) deferWrite(to deferredWriter) bool {
	if len(c.deferred) == maxDeferred {
		return false
	}
	c.deferred = append(c.deferred, to)
	return true
}

func (c *conn) runDeferredWrites() {
	for _, d := range c.deferred {
		d.writeNow()
	}
	clear(c.deferred)
	c.deferred = c.deferred[:0]
}

// driver moves a connection's bytes: a goroutine (driver_goroutine.go) or one of a few epoll loops (driver_epoll.go).
type driver interface {
	// send writes replies as far as the client takes them, and returns how many bytes it took. An error means that the connection
	// is gone.
	send(out []byte) (int, error)
	// flush sees to it that the outbox is written; false means that the connection is gone.
	flush() bool
	// shut closes the connection's socket. The goroutine that serves the connection calls it.
	shut()
	// kill closes the connection soon; it may be called from any goroutine, under any lock.
	kill()
	// wake makes the driver serve the connection soon; it may be called from any goroutine, under any lock.
	wake()
}

// flushSize is how many bytes of replies may gather within one batch.
const flushSize = 64 << 10

func newConn(s *Server, local, remote net.Addr) *conn {
	c := &conn{server: s}
	c.session = command.NewSession(s.env, s.nextID.Add(1), s.addrText(remote), s.addrText(local), c)
	c.in.authed, c.in.maxBulk = c.session.Authenticated, s.env.Config.MaxBulk
	c.out.overrun, c.out.ended.L = c.Kill, &c.out.mu
	c.out.traffic = &c.session.Traffic
	c.out.limit = outputLimit{clock: s.env.Clock, current: c.session.OutputLimit}
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

// cause is why a connection is served.
type cause uint8

const (
	hasInput cause = iota // bytes were added to the request
	isWoken               // a blocked call may be over, or there is a message or an idle client to see to
)

// serve is the one place in which work for a client runs, whatever has caused it: only from here and from end the session is called,
// so only here a command can run long or wait for a shard. Whoever calls it can be replaced meanwhile (see loop.serve), and a panic
// in it ends this connection and nothing else (see rescue.go). It reports whether to go on with the connection.
func (c *conn) serve(why cause) (alive bool) {
	defer c.rescueReply(&alive)
	if why == hasInput {
		return c.feed()
	}
	return c.resume()
}

// end gives up what the connection holds in the server, once. It may wait for a shard, so the socket is closed before.
func (c *conn) end() {
	if c.ended {
		return
	}
	c.ended = true
	defer c.server.remove(c)
	defer c.rescue()
	c.driver.shut()
	c.out.fail() // from here on nothing is pushed
	c.session.Close()
}

// feed serves every complete command that has been read. It reports whether to go on; the replies are left to flush.
func (c *conn) feed() bool {
	c.session.FlushPushes()
	c.batch = 0
	for ; !c.session.Closing && !c.session.Blocked(); c.batch++ {
		args, err := c.in.next()
		if err != nil {
			c.session.Break(err)
			break
		}
		if args == nil {
			break
		}
		c.session.ReuseTime(c.batch > 0)
		c.session.Serve(args)
		if len(c.deferred) > 0 {
			c.runDeferredWrites()
		}
		if len(c.session.Out) >= flushSize && !c.flush() {
			return false
		}
	}
	c.session.FlushAllPushes()
	c.alive()
	return !c.session.Closing
}

// resume goes on with a session that was blocked, if its waiting is over, and with what the client has sent meanwhile.
func (c *conn) resume() bool {
	if c.overdue() {
		return false
	}
	if !c.session.Awake() {
		c.session.FlushAllPushes()
		return true
	}
	c.session.Resume()
	c.runDeferredWrites()
	return c.feed()
}

// flush sends the replies gathered so far.
func (c *conn) flush() bool {
	out := c.session.Out
	if c.shared || c.out.pending() {
		if len(out) > 0 {
			c.session.Out = c.out.post(out, 0, c.session.Proto())
		}
		return c.driver.flush()
	}
	if len(out) == 0 {
		return true
	}
	out, ok := c.send(out)
	if cap(out) > buffer.Large {
		buffer.Drop(out)
		out = nil
	}
	c.session.Out = out
	return ok
}

// send sends replies that no pushed messages may overtake. It returns an empty buffer for the next ones, and reports false if the
// connection is gone.
func (c *conn) send(out []byte) (next []byte, ok bool) {
	if len(out) > freeReply {
		switch tooMuch, watched := c.out.tooMuch(len(out)); {
		case tooMuch:
			return nil, false
		case watched:
			return c.out.post(out, 0, c.session.Proto()), c.driver.flush()
		}
	}
	n, err := c.driver.send(out)
	c.session.Traffic.Wrote(max(n, 0))
	switch {
	case err != nil:
		return nil, false
	case n < len(out):
		return c.out.post(out, n, c.session.Proto()), c.driver.flush()
	}
	return out[:0], true
}

// Pending implements command.Peer.
func (c *conn) Pending() int { return c.out.unsent() }

// Push implements command.Peer.
func (c *conn) Push(m *pubsub.Message) {
	defer c.rescueForeign() // the publisher is not to suffer
	from, _ := m.From().(*conn)
	c.out.push(m, from)
}

// Post implements command.Peer.
func (c *conn) Post(out []byte) []byte {
	c.shared = true
	return c.out.post(out, 0, c.session.Proto())
}

// Deliver implements command.Peer.
func (c *conn) Deliver(reply []byte) {
	defer c.rescueForeign()
	c.out.deliver(reply)
	c.driver.wake()
}

// Cork implements command.Peer.
func (c *conn) Cork() { c.out.cork() }

// Wake implements command.Peer.
func (c *conn) Wake() { c.driver.wake() }

// Kill implements command.Peer.
func (c *conn) Kill() { c.driver.kill() }
