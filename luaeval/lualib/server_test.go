package lualib

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// reference is a connection to a real Redis, for recording golden answers.
type reference struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// respError is an error reply.
type respError string

func dialReference(t *testing.T, address string) *reference {
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return &reference{t: t, conn: conn, in: bufio.NewReader(conn)}
}

// eval runs a script. Strings come back as string, integers as int, nil as nil, arrays as []any, errors as respError.
func (r *reference) eval(script string) any {
	_, err := fmt.Fprintf(r.conn, "*3\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n0\r\n", len(script), script)
	require.NoError(r.t, err)
	reply := r.read()
	if fault, ok := reply.(respError); ok {
		return withoutOrigin(fault)
	}
	return reply
}

// withoutOrigin removes what Redis adds to the error of a script: the code, the SHA1 and the position.
func withoutOrigin(fault respError) respError {
	text, _, _ := strings.Cut(string(fault), " script: ")
	return respError(strings.TrimPrefix(text, "ERR "))
}

func (r *reference) read() any {
	line, err := r.in.ReadString('\n')
	require.NoError(r.t, err)
	kind, rest := line[0], strings.TrimRight(line[1:], "\r\n")
	switch kind {
	case '+':
		return rest
	case '-':
		return respError(rest)
	case ':':
		return r.number(rest)
	case '$':
		return r.bulk(r.number(rest))
	case '*':
		return r.array(r.number(rest))
	}
	r.t.Fatalf("unexpected reply %q", line)
	return nil
}

func (r *reference) number(text string) int {
	n, err := strconv.Atoi(text)
	require.NoError(r.t, err)
	return n
}

func (r *reference) bulk(n int) any {
	if n < 0 {
		return nil
	}
	data := make([]byte, n+2)
	_, err := io.ReadFull(r.in, data)
	require.NoError(r.t, err)
	return string(data[:n])
}

func (r *reference) array(n int) any {
	values := make([]any, n)
	for i := range values {
		values[i] = r.read()
	}
	return values
}
