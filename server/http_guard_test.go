package server

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// An HTTP request closes the connection before any of it is executed, without a reply, and is logged once a minute.
func TestHTTPGuard(t *testing.T) {
	log := new(testenv.Buffer)
	s, err := Start(t.Context(), Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	require.NoError(t, err)
	defer s.Close()
	for _, request := range []string{
		"POST / HTTP/1.1\r\nHost: localhost\r\n\r\nSET pwned 1\r\n",
		"PING\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\nSET pwned 1\r\n",
		"GET /\r\nhost: localhost\r\nSET pwned 1\r\n",
		"*1\r\n$4\r\npost\r\nSET pwned 1\r\n",
	} {
		nc := dial(t, s)
		_, err := nc.Write([]byte(request))
		require.NoError(t, err)
		answer, _ := io.ReadAll(nc) // until it is closed
		require.Empty(t, string(answer))
	}
	ask(t, dial(t, s), "EXISTS pwned\r\n", ":0\r\n")
	require.Equal(t, 1, strings.Count(log.String(), "possible security attack"))
}
