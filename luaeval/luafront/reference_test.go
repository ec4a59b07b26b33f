package luafront

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// reference is a connection to a real Redis, whose results the tests compare with.
type reference struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
}

// startReference starts a redis-server for one test. Without one the test is skipped, but not where CI is set.
func startReference(t testing.TB) *reference {
	t.Helper()
	conn, err := net.Dial("tcp", testenv.StartRedis(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return &reference{t: t, conn: conn, in: bufio.NewReader(conn)}
}

// eval runs a script without keys and returns its reply: text of bulk strings, integers and errors, "nil" for a null.
func (r *reference) eval(script string) string {
	r.t.Helper()
	_, err := fmt.Fprintf(r.conn, "*3\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n0\r\n", len(script), script)
	require.NoError(r.t, err)
	return r.reply()
}

// reply reads one reply; of an array it gives the elements in brackets.
func (r *reference) reply() string {
	r.t.Helper()
	line, err := r.in.ReadString('\n')
	require.NoError(r.t, err)
	line = strings.TrimRight(line, "\r\n")
	if line[0] != '$' && line[0] != '*' {
		return line[1:]
	}
	size, err := strconv.Atoi(line[1:])
	require.NoError(r.t, err)
	switch {
	case size < 0:
		return "nil"
	case line[0] == '*':
		elements := make([]string, size)
		for i := range elements {
			elements[i] = r.reply()
		}
		return fmt.Sprint(elements)
	}
	body := make([]byte, size+2)
	_, err = io.ReadFull(r.in, body)
	require.NoError(r.t, err)
	return string(body[:size])
}
