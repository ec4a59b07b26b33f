package commandtest

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/poison"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/pubsub"
)

// Client is a session whose replies are read as text. It is its own command.Peer.
type Client struct {
	T       testing.TB
	Session *command.Session
	Sent    []byte // replies that the session has passed to Post or Deliver

	Restriction command.Restriction // the last one

	mu        sync.Mutex // guards what follows, which other goroutines add to
	delivered []byte     // replies of blocked commands
	pushed    []string
}

// NewClient returns a client of the server, with the ID 1. It leaves when the test ends.
func NewClient(t testing.TB, env *command.Env) *Client { return NewClientID(t, env, 1) }

// NewClientID is NewClient with another ID.
func NewClientID(t testing.TB, env *command.Env, id int64) *Client {
	return newClient(t, env, id, "127.0.0.1:1", "127.0.0.1:2")
}

func newClient(t testing.TB, env *command.Env, id int64, addr, localAddr string) *Client {
	c := &Client{T: t}
	c.Session = command.NewSession(env, id, addr, localAddr, c)
	t.Cleanup(func() {
		if !c.Session.Closed() {
			c.Session.Close()
		}
	})
	return c
}

// Push implements pubsub.Sink.
func (c *Client) Push(m *pubsub.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pushed = append(c.pushed, string(m.Bytes(c.Session.Proto())))
}

// Post implements command.Peer.
func (c *Client) Post(out []byte) []byte {
	c.Sent = append(c.Sent, out...)
	return out[:0]
}

// Deliver implements command.Peer.
func (c *Client) Deliver(reply []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivered = append(c.delivered, reply...)
}

// Delivered returns the reply of the blocked command that has ended, in the form of Do, and resumes the session.
func (c *Client) Delivered() string {
	c.T.Helper()
	reply, rest := Readable(c.DeliveredBytes())
	require.Empty(c.T, rest)
	return reply
}

// DeliveredBytes is Delivered in RESP.
func (c *Client) DeliveredBytes() (reply string) {
	c.T.Helper()
	require.True(c.T, c.Session.CanResume(), "still blocked")
	c.Session.Resume(func() {})
	c.mu.Lock()
	defer c.mu.Unlock()
	reply, c.delivered = string(c.delivered), nil
	return reply
}

// HoldPushes implements command.Peer.
func (c *Client) HoldPushes() {}

// Kill implements command.Peer.
func (c *Client) Kill() {}

// Pending implements command.Peer.
func (c *Client) Pending() int { return 0 }

// Restrict implements command.Peer.
func (c *Client) Restrict(r command.Restriction) { c.Restriction = r }

// Wake implements command.Peer.
func (c *Client) Wake() {}

// Do runs a command whose arguments are separated by blanks; two single quotes are the empty argument. It returns the
// reply in a readable form: strings quoted, integers as such, nulls as nil, errors and statuses bare, aggregates in
// brackets.
func (c *Client) Do(line string) string {
	fields := strings.Fields(line)
	args := make([][]byte, len(fields))
	for i, field := range fields {
		args[i] = []byte(strings.ReplaceAll(field, "''", ""))
	}
	reply := c.DoArgs(args...)
	poison.Words(args)
	return reply
}

// DoStrings is Do for arguments that may have blanks.
func (c *Client) DoStrings(args ...string) string {
	c.T.Helper()
	list := make([][]byte, len(args))
	for i, arg := range args {
		list[i] = []byte(arg)
	}
	return c.DoArgs(list...)
}

// DoArgs is Do for any arguments.
func (c *Client) DoArgs(args ...[]byte) string {
	c.T.Helper()
	c.Session.Out, c.Sent = c.Session.Out[:0], c.Sent[:0]
	c.Session.Serve(args)
	text, rest := Readable(string(c.Sent) + string(c.Session.Out))
	for rest != "" {
		var next string
		next, rest = Readable(rest)
		text += " " + next
	}
	return text
}

// Want asserts the reply of each line; lines and replies come in turn.
func (c *Client) Want(linesAndReplies ...string) {
	c.T.Helper()
	for i := 0; i+1 < len(linesAndReplies); i += 2 {
		require.Equal(c.T, linesAndReplies[i+1], c.Do(linesAndReplies[i]), linesAndReplies[i])
	}
}

// Readable returns the first reply of s in the form of Do, and the rest of s.
func Readable(s string) (text, rest string) {
	if s == "" {
		return "", ""
	}
	line, rest, _ := strings.Cut(s, "\r\n")
	n, _ := strconv.Atoi(line[1:])
	switch s[0] {
	case '$', '=':
		if n < 0 {
			return "nil", rest
		}
		return strconv.Quote(rest[:n]), rest[n+2:]
	case '*', '~', '>', '%':
		if n < 0 {
			return "nil-array", rest
		}
		if s[0] == '%' {
			n *= 2
		}
		elems := make([]string, n)
		for i := range elems {
			elems[i], rest = Readable(rest)
		}
		return "[" + strings.Join(elems, " ") + "]", rest
	case '_':
		return "nil", rest
	}
	return line[1:], rest
}

// Pushes returns what was pushed to the client since the last call, in the form of Do.
func (c *Client) Pushes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	messages := make([]string, len(c.pushed))
	for i, m := range c.pushed {
		messages[i], _ = Readable(m)
	}
	c.pushed = nil
	return messages
}

// InfoOf returns sections of INFO as text.
func InfoOf(c *Client, sections string) string {
	return strings.ReplaceAll(strings.Trim(c.Do("INFO "+sections), `"`), `\r\n`, "\n")
}
