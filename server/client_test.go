package server

import (
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/tidwall/redcon"

	"github.com/minilockd/minilockd/internal/require"
)

// client has one connection, on which it uses RESP2.
type client struct {
	nc   net.Conn
	rest []byte // received, but not read yet
}

// connect returns a client, whose connection is closed when the test ends.
func connect(t testing.TB, s *Server) *client {
	t.Helper()
	return &client{nc: dial(t, s)}
}

// do sends a command and returns its reply.
func (c *client) do(words ...any) (redcon.RESP, error) {
	text := make([]string, len(words))
	for i, w := range words {
		text[i] = fmt.Sprint(w)
	}
	if _, err := c.nc.Write([]byte(bulks(text...))); err != nil {
		return redcon.RESP{}, err
	}
	return c.receive()
}

// must is do for a command that answers no error.
func (c *client) must(t testing.TB, words ...any) redcon.RESP {
	t.Helper()
	reply, err := c.do(words...)
	require.NoError(t, err, "%q", words)
	return reply
}

// receive returns the next reply or message; one that is an error is returned as such.
func (c *client) receive() (redcon.RESP, error) {
	for {
		if n, reply := redcon.ReadNextRESP(c.rest); n > 0 {
			c.rest = c.rest[n:]
			if reply.Type == redcon.Error {
				return reply, errors.New(reply.String())
			}
			return reply, nil
		}
		more := make([]byte, 4096)
		n, err := c.nc.Read(more)
		if err != nil {
			return redcon.RESP{}, err
		}
		c.rest = append(c.rest[:len(c.rest):len(c.rest)], more[:n]...) // replies keep what they alias
	}
}

// elements are the elements of an array as texts, "" for those that are nil.
func elements(array redcon.RESP) (all []string) {
	array.ForEach(func(element redcon.RESP) bool {
		all = append(all, element.String())
		return true
	})
	return all
}
