package server

import (
	"net"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// conn is one client's connection: bytes go in, complete commands are served in order, replies go out in one write per
// batch. It is driven by one goroutine (see serve); only Push and Kill are called by others.
type conn struct {
	server  *Server
	nc      net.Conn
	session *command.Session
	in      request
	out     *outbox
	shared  bool // replies take their turn with pushed messages
}

// flushSize is how many bytes of replies may gather within one batch.
const flushSize = 64 << 10

func newConn(s *Server, id int64, nc net.Conn) *conn {
	c := &conn{server: s, nc: nc}
	c.out = newOutbox(nc, func() { _ = nc.Close() })
	c.session = command.NewSession(&s.env, id, addrText(nc.RemoteAddr()), addrText(nc.LocalAddr()), c)
	c.in.authed = c.session.Authenticated
	return c
}

func addrText(a net.Addr) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// serve reads and answers until the client or the server closes the connection.
func (c *conn) serve() {
	for {
		n, err := c.nc.Read(c.in.space())
		c.in.added(n)
		if !c.feed() || err != nil {
			return
		}
	}
}

// feed serves every complete command that has been read, and writes the replies. It reports whether to go on.
func (c *conn) feed() bool {
	for !c.session.Closing {
		args, err := c.in.next()
		if err != nil {
			c.session.Out = resp.Append(c.session.Out, resp.Error("ERR Protocol error: "+err.Error()), resp.RESP2)
			c.session.Closing = true
			break
		}
		if args == nil {
			break
		}
		c.session.Serve(args)
		if len(c.session.Out) >= flushSize && !c.flush() {
			return false
		}
	}
	return c.flush() && !c.session.Closing
}

// flush writes the replies gathered so far.
func (c *conn) flush() bool {
	if c.shared {
		if len(c.session.Out) > 0 {
			c.Post(c.session.Out)
			c.session.Out = c.session.Out[:0]
		}
		c.out.flush()
		return true
	}
	if len(c.session.Out) == 0 {
		return true
	}
	_, err := c.nc.Write(c.session.Out)
	if c.session.Out = c.session.Out[:0]; cap(c.session.Out) > keepBuffer {
		c.session.Out = nil
	}
	return err == nil
}

// Push implements command.Peer.
func (c *conn) Push(m *pubsub.Message) { c.out.push(m) }

// Post implements command.Peer.
func (c *conn) Post(out []byte) {
	c.shared = true
	c.out.post(out, c.session.Proto())
}

// Cork implements command.Peer.
func (c *conn) Cork() { c.out.cork() }

// Kill implements command.Peer.
func (c *conn) Kill() { _ = c.nc.Close() }
