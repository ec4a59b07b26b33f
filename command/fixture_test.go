package command

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

// newEnv is a server without connections, on a clock that tests move.
func newEnv(t testing.TB) (*Env, *clock.Offset) {
	t.Helper()
	return newEnvAt(t, clock.Real{})
}

// newEnvAt is newEnv by a clock of the test's own.
func newEnvAt(t testing.TB, base clock.Clock) (*Env, *clock.Offset) {
	t.Helper()
	c := clock.NewOffset(base)
	env := NewEnv(Options{Table: Commands(), Clock: c, Clients: new(fakeClients)})
	t.Cleanup(env.Store.Close)
	return env, c
}

// fixedClock is a clock that stands still: none of its timers fires.
type fixedClock struct{ at time.Time }

func (c fixedClock) Now() time.Time                              { return c.at }
func (c fixedClock) AfterFunc(time.Duration, func()) clock.Timer { return deadTimer{} }

// deadTimer never fires.
type deadTimer struct{}

func (deadTimer) Reset(time.Duration) {}
func (deadTimer) Stop()               {}

// testClient is a session whose replies are read as text.
type testClient struct {
	t       testing.TB
	session *Session
	posted  []byte
	pushed  []string
}

func newClient(t testing.TB, env *Env) *testClient {
	c := &testClient{t: t}
	c.session = NewSession(env, 1, "127.0.0.1:1", "127.0.0.1:2", c)
	return c
}

func (c *testClient) Push(m *pubsub.Message) {
	c.pushed = append(c.pushed, string(m.Bytes(c.session.Proto())))
}
func (c *testClient) Post(out []byte) []byte {
	c.posted = append(c.posted, out...)
	return out[:0]
}
func (c *testClient) Deliver(reply []byte) { c.posted = append(c.posted, reply...) }
func (c *testClient) Cork()                {}
func (c *testClient) Kill()                {}
func (c *testClient) Pending() int         { return 0 }
func (c *testClient) Wake()                {}

// do runs a line of words separated by blanks (” is the empty word) and returns the reply in a readable form:
// strings quoted, integers as such, nulls as nil, errors and statuses bare, aggregates in brackets.
func (c *testClient) do(line string) string {
	words := strings.Fields(line)
	args := make([][]byte, len(words))
	for i, w := range words {
		args[i] = []byte(strings.ReplaceAll(w, "''", ""))
	}
	return c.doArgs(args...)
}

func (c *testClient) doArgs(args ...[]byte) string {
	c.t.Helper()
	c.session.Out, c.posted = c.session.Out[:0], c.posted[:0]
	c.session.Serve(args)
	text, rest := readable(string(c.posted) + string(c.session.Out))
	for rest != "" {
		var next string
		next, rest = readable(rest)
		text += " " + next
	}
	return text
}

// want asserts the reply of each line; lines and replies come in turn.
func (c *testClient) want(linesAndReplies ...string) {
	c.t.Helper()
	for i := 0; i+1 < len(linesAndReplies); i += 2 {
		require.Equal(c.t, linesAndReplies[i+1], c.do(linesAndReplies[i]), linesAndReplies[i])
	}
}

func readable(s string) (text, rest string) {
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
			elems[i], rest = readable(rest)
		}
		return "[" + strings.Join(elems, " ") + "]", rest
	case '_':
		return "nil", rest
	}
	return line[1:], rest
}

func TestFixture(t *testing.T) {
	env, _ := newEnv(t)
	c := newClient(t, env)
	c.want(
		"HSET h a 1 b 2", "2",
		"HGET h a", `"1"`,
		"HGETALL h", `["a" "1" "b" "2"]`,
		"HDEL h a b", "2",
		"HGET h a", "nil",
		"NOSUCH a", "ERR unknown command 'NOSUCH', with args beginning with: 'a' ",
		"HGET h", "ERR wrong number of arguments for 'hget' command",
	)
	require.Equal(t, resp.RESP2, c.session.Proto())
}
