package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/minilockd/minilockd/internal/reply"
	"github.com/minilockd/minilockd/internal/resp"
)

// Do runs a command, without the network, and returns its result:
//
//	n, err := srv.Do(ctx, "HINCRBY", "lock:order", "owner", 1).Int()
//
// Arguments are strings, []byte, integers, floats, bools (1 or 0), and types derived from these. A [time.Duration] is
// rejected, since commands want seconds or milliseconds.
//
// Do is a client as others are: its commands wait for CLIENT PAUSE, fail when the server is busy, and are counted. It
// is the default user, and needs no password. A command that blocks ends with ctx. Do is safe for concurrent use; it
// has a few connections of its own, so a command that is about the connection, such as MULTI, SELECT or CLIENT SETNAME,
// returns an error: [Server.NewClient] has those.
func (s *Server) Do(ctx context.Context, args ...any) Result {
	var c *Client
	select {
	case c = <-s.idleClients:
		if c.gone() {
			c = s.NewClient()
		}
	default:
		c = s.NewClient()
	}
	r := c.do(ctx, args, ofConnections)
	if c.nc == nil {
		return r
	}
	select {
	case s.idleClients <- c:
	default:
		_ = c.Close()
	}
	return r
}

// maxIdleClients is the largest number of connections that Do keeps.
const maxIdleClients = 8

// Client is a client of a server in the same process, with a connection of its own: what MULTI, WATCH, SELECT and so on
// set holds for its later commands. It is not safe for concurrent use.
type Client struct {
	server  *Server
	nc      net.Conn // nil before the first command and after an error
	replies *bufio.Reader
	closed  bool
}

// NewClient returns a client. It connects, in memory, at the first command; the caller should Close it.
func (s *Server) NewClient() *Client { return &Client{server: s} }

// Do is [Server.Do] on the client's connection. Commands after which the server sends more than replies, or less, are
// not for it: SUBSCRIBE, MONITOR, CLIENT REPLY and CLIENT TRACKING return an error. Connect by [Server.Dial] for these.
// When ctx ends first, or the server closes the connection, the next Do makes a new one.
func (c *Client) Do(ctx context.Context, args ...any) Result { return c.do(ctx, args, nil) }

// Close closes the connection. Do fails from now on.
func (c *Client) Close() error {
	c.closed = true
	c.drop()
	return nil
}

// gone reports whether the server has closed the connection.
func (c *Client) gone() bool {
	_, err := c.nc.Write(nil)
	return err != nil
}

func (c *Client) drop() {
	if c.nc != nil {
		_ = c.nc.Close()
		c.nc = nil
	}
}

// The commands that Do rejects: ofStreams those after which not each command has one reply, ofConnections those that
// change what later commands on the connection do.
var (
	ofStreams = names("subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe monitor sync psync " +
		"client|reply client|tracking")
	ofConnections = names("multi exec discard watch unwatch select auth hello reset quit asking readonly readwrite " +
		"client|setname client|setinfo client|caching client|no-evict client|no-touch")
)

func names(list string) map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

// The errors of commands that are not for Do.
var (
	errClientClosed = errors.New("the client is closed")
	errNotForPool   = errors.New("the command is about its connection: run it by Server.NewClient")
	errNotForDo     = errors.New("the command does not have one reply: send it over Server.Dial")
)

// do runs a command that is not one of rejected.
func (c *Client) do(ctx context.Context, args []any, rejected map[string]bool) Result {
	words, err := encodeArgs(args)
	r := Result{command: commandName(words)}
	if err == nil {
		err = c.check(words, rejected)
	}
	if err == nil {
		r.reply, err = c.exchange(ctx, words)
	}
	if err != nil {
		r.err = fmt.Errorf("server: %s: %w", r.command, err)
	}
	return r
}

func (c *Client) check(words [][]byte, rejected map[string]bool) error {
	if c.closed {
		return errClientClosed
	}
	cmd, err := c.server.env.Table.Lookup(words)
	switch {
	case err != nil: // the server's reply tells
	case ofStreams[cmd.FullName()]:
		return errNotForDo
	case rejected[cmd.FullName()]:
		return errNotForPool
	}
	return nil
}

// exchange sends a command and returns its reply. After an error the connection is of no more use.
func (c *Client) exchange(ctx context.Context, words [][]byte) (r reply.Reply, err error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if err := c.connect(); err != nil {
		return r, err
	}
	nc := c.nc
	stop := context.AfterFunc(ctx, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })
	_, failed := nc.Write(reply.Append(nil, words))
	// A server that closes the connection at once says why before.
	if r, err = reply.Read(c.replies); err != nil && failed != nil {
		err = failed
	}
	switch {
	case !stop():
		c.drop() // the deadline is set, or will be
		if err != nil {
			err = ctx.Err()
		}
	case err != nil:
		c.drop()
	}
	if err == io.EOF {
		err = errConnClosed
	}
	return r, err
}

// errConnClosed is the error of a command without a reply.
var errConnClosed = fmt.Errorf("the server has closed the connection: %w", io.ErrUnexpectedEOF)

// connect connects as the default user, with RESP3.
func (c *Client) connect() error {
	if c.nc != nil {
		return nil
	}
	near, far, err := c.server.newPipe()
	if err != nil {
		return err
	}
	s := c.server
	if !s.delayClose() {
		return dialError(syscall.ECONNREFUSED)
	}
	defer s.work.Done()
	c.nc, c.replies = near, bufio.NewReader(near)
	if s.full() {
		s.reject(far, tooManyClients)
		return nil
	}
	s.env.Stats.Connections.Add(1)
	d := s.newGoroutineDriver(far)
	d.conn.session.Login(s.env.ACL.Default)
	d.conn.session.SetProto(resp.RESP3)
	s.begin(d)
	return nil
}
