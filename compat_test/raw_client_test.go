package compat

import (
	"bufio"
	"errors"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// replyTimeout is how long a client waits for a reply. Only a failing test waits so long.
const replyTimeout = time.Minute

var errNoReply = errors.New("no reply within " + replyTimeout.String())

// rawClient is a connection that sends commands in RESP and reads replies and pushes, as bytes and parsed.
type rawClient struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
}

// dial connects to a server; the connection closes with the test.
func dial(t testing.TB, addr string) *rawClient {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return &rawClient{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
}

// queue adds a command to the output; flush sends the output.
func (c *rawClient) queue(args ...string) {
	c.out = append(c.out, '*')
	c.out = strconv.AppendInt(c.out, int64(len(args)), 10)
	for _, a := range args {
		c.out = append(c.out, "\r\n$"...)
		c.out = strconv.AppendInt(c.out, int64(len(a)), 10)
		c.out = append(c.out, "\r\n"...)
		c.out = append(c.out, a...)
	}
	c.out = append(c.out, "\r\n"...)
}

func (c *rawClient) flush() error {
	_, err := c.conn.Write(c.out)
	c.out = c.out[:0]
	return err
}

// write sends bytes.
func (c *rawClient) write(raw string) error {
	c.out = append(c.out, raw...)
	return c.flush()
}

// read reads the next reply or push.
func (c *rawClient) read() (reply, error) {
	if err := c.conn.SetReadDeadline(time.Now().Add(replyTimeout)); err != nil {
		return reply{}, err
	}
	r := replyReader{in: c.in}
	v := r.value()
	v.raw = r.raw
	if timeout, ok := errors.AsType[net.Error](r.err); ok && timeout.Timeout() {
		return v, errNoReply
	}
	return v, r.err
}

// ready reports whether the next read would not block: a reply comes in time, or the connection is closed.
func (c *rawClient) ready(within time.Duration) bool {
	if c.in.Buffered() > 0 {
		return true
	}
	_ = c.conn.SetReadDeadline(time.Now().Add(within)) // if it fails, the read fails, too
	_, err := c.in.Peek(1)
	timeout, ok := errors.AsType[net.Error](err)
	return !ok || !timeout.Timeout()
}

// do sends one command and reads one reply.
func (c *rawClient) do(t testing.TB, args ...string) reply {
	t.Helper()
	c.queue(args...)
	require.NoError(t, c.flush(), "%q", args)
	v, err := c.read()
	require.NoError(t, err, "%q", args)
	return v
}

// pipeline sends many commands at once and reads their replies.
func (c *rawClient) pipeline(commands [][]string) ([]reply, error) {
	for _, args := range commands {
		c.queue(args...)
	}
	// Sending must not block reading: the server stops reading while its replies are not read.
	sent := make(chan error, 1)
	go func() { sent <- c.flush() }()
	replies := make([]reply, 0, len(commands))
	for range commands {
		v, err := c.read()
		if err != nil {
			c.conn.Close()
			<-sent
			return replies, err
		}
		replies = append(replies, v)
	}
	return replies, <-sent
}

// last sends ECHO, closes its side, and returns all bytes until the server has closed the connection.
func (c *rawClient) last(t testing.TB) string {
	t.Helper()
	before, _ := c.in.Peek(c.in.Buffered())
	unread := string(before)
	require.NoError(t, c.conn.SetDeadline(time.Now().Add(testenv.StartTimeout)))
	return unread + readUntilClose(t, c.conn.(*net.TCPConn), packed("ECHO", "end"))
}
