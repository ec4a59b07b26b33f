package server

import (
	"net"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/poison"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/pubsub"
)

// conn is the state machine of one client's connection: it gets bytes, serves the complete commands in them in order,
// and passes their replies to its driver after the batch, or in between when there are many (flushSize). Only the
// goroutine that serves the connection may use it (see serve), except that any goroutine may call Push, Deliver, Wake,
// Kill and Pending: these use only the outbox and the driver's signals.
type conn struct {
	server    *Server
	session   *command.Session
	in        request
	out       outbox
	driver    driver
	batch     int                      // number of commands in the last batch
	viaOutbox bool                     // replies go through the outbox, in order with pushed messages
	deferred  []deferredWriter         // see deferWrite
	ended     bool                     // see end
	transfer  atomic.Pointer[transfer] // nil for most connections

	maybeIdle atomic.Bool // set by the idle check; see idleTooLong
}

// deferredWriter is another connection whose outbox has pushed messages to write.
type deferredWriter interface{ writeNow() }

// maxDeferred is the largest number of connections that one connection writes for; their own loops write to the rest.
const maxDeferred = 8

// deferWrite makes this connection write a message that it has pushed to another one itself, after its command: that is
// earlier than the other's loop would write it, and needs no wake-up. Only the goroutine that serves this connection
// may call it. It reports false if there are maxDeferred writes already.
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

// driver moves the bytes of a connection: a goroutine (driver_goroutine.go) or one of a few epoll loops
// (driver_epoll.go).
type driver interface {
	// send writes replies and returns the number of bytes that the socket accepted. An error means that the connection is
	// broken.
	send(out []byte) (int, error)
	// flush writes the outbox, or has it written; false means that the connection is broken.
	flush() bool
	// shut closes the socket. The goroutine that serves the connection calls it.
	shut()
	// kill closes the connection soon; any goroutine may call it, under any lock.
	kill()
	// ready makes the driver go on with what transfer did not allow before; any goroutine may call it, under any lock.
	ready()
	// wake makes the driver serve the connection soon; any goroutine may call it, under any lock.
	wake()
}

// flushSize is the number of bytes of replies at which a batch flushes before it ends.
const flushSize = 64 << 10

func newConn(s *Server, local, remote net.Addr) *conn {
	c := &conn{server: s}
	c.session = command.NewSession(s.env, s.nextID.Add(1), s.addrText(remote), s.addrText(local), c)
	c.in.authenticated, c.in.maxBulk = c.session.Authenticated, s.env.Config.MaxBulk
	c.in.endsChecked, c.in.split = s.env.Table.Server.Does(emulate.LineEndsChecked), words.Split
	if s.env.Table.Server.Does(emulate.QuotesMixed) {
		c.in.split = words.SplitMixed
	}
	c.out.closeConn, c.out.writerDone.L = c.Kill, &c.out.mu
	c.out.traffic = &c.session.Traffic
	c.out.limit = outputLimit{clock: s.env.Clock, current: c.session.OutputLimit,
		exceeded: &s.env.Stats.Overflowed}
	return c
}

// addrText is the address as CLIENT LIST shows it: for a Unix domain socket, its path and port 0.
func (s *Server) addrText(a net.Addr) string {
	switch a.(type) {
	case nil:
		return ""
	case *net.UnixAddr:
		return s.options.UnixSocket + ":0"
	}
	return a.String()
}

// cause is the reason why a connection is served.
type cause uint8

const (
	hasInput cause = iota // bytes were added to the request
	isWoken               // a blocked call may have ended, a message was pushed, or the client may be idle
)

// serve runs all work for a client. Only serve and end call the session, so only here a command can run long or wait
// for a shard. The watchdog can take the loop from the goroutine that called it (see loop.serve), and a panic ends only
// this connection (see recover.go). It reports whether the connection stays open.
func (c *conn) serve(why cause) (alive bool) {
	defer c.recoverReply(&alive)
	if why == hasInput {
		return c.feed()
	}
	return c.resume()
}

// end closes the socket and releases what the connection holds in the server, once. The socket comes first, since the
// rest may wait for a shard.
func (c *conn) end() {
	if c.ended {
		return
	}
	c.ended = true
	defer c.server.remove(c)
	defer c.recoverPanic()
	c.driver.shut()
	c.out.fail() // from now on nothing is pushed
	c.endTransfer()
	c.session.Close()
}

func (c *conn) endTransfer() {
	if t := c.transfer.Load(); t != nil {
		t.close()
	}
}

// feed serves every complete command that was read. It reports whether the connection stays open; the caller flushes
// the replies.
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
		poison.Words(args)
		if len(c.deferred) > 0 {
			c.runDeferredWrites()
		}
		if len(c.session.Out) >= flushSize && !c.flush() {
			return false
		}
	}
	c.session.FlushAllPushes()
	c.session.PublishCalls()
	c.markActive()
	return !c.session.Closing
}

// resume continues a session whose blocked call has ended, and serves what the client has sent since.
func (c *conn) resume() (alive bool) {
	if c.idleTooLong() {
		return false
	}
	if !c.session.CanResume() {
		c.session.FlushAllPushes()
		return true
	}
	c.session.Resume(func() {
		c.runDeferredWrites()
		alive = c.feed()
	})
	return alive
}

// flush sends the replies so far.
func (c *conn) flush() bool {
	out := c.session.Out
	if c.viaOutbox || c.transfer.Load() != nil || c.out.hasOutput() {
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

// send sends replies past the empty outbox. It returns an empty buffer for the next replies, and reports false if the
// connection is broken.
func (c *conn) send(out []byte) (next []byte, ok bool) {
	if len(out) > freeReply {
		switch tooLarge, timed := c.out.checkReply(len(out)); {
		case tooLarge:
			return nil, false
		case timed:
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
func (c *conn) Pending() int { return c.out.pending() }

// Push implements command.Peer.
func (c *conn) Push(m *pubsub.Message) {
	defer c.recoverOther() // a panic must not end the publisher's connection
	from, _ := m.From().(*conn)
	c.out.push(m, from)
}

// Post implements command.Peer.
func (c *conn) Post(out []byte) []byte {
	c.viaOutbox = true
	return c.out.post(out, 0, c.session.Proto())
}

// Deliver implements command.Peer.
func (c *conn) Deliver(reply []byte) {
	defer c.recoverOther()
	c.out.deliver(reply)
	c.driver.wake()
}

// HoldPushes implements command.Peer.
func (c *conn) HoldPushes() { c.out.holdPushes() }

// Wake implements command.Peer.
func (c *conn) Wake() { c.driver.wake() }

// Kill implements command.Peer.
func (c *conn) Kill() { c.driver.kill() }
