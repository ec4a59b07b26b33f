package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// Replies that the socket takes only in part keep their order.
func TestServer_LargeRepliesKeepTheirOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	s, err := Start(context.Background(), Options{UnixSocket: path})
	require.NoError(t, err)
	defer s.Close()
	for network, addr := range map[string]string{"tcp": s.Addr(), "unix": path} {
		t.Run(network, func(t *testing.T) {
			nc, err := net.Dial(network, addr)
			require.NoError(t, err)
			defer nc.Close()
			const keys, size, rounds = 4, 1 << 20, 5
			var gets, want []byte
			for i := range keys {
				value := bytes.Repeat([]byte{byte('a' + i)}, size)
				ask(t, nc, fmt.Sprintf("*3\r\n$3\r\nSET\r\n$1\r\n%d\r\n$%d\r\n%s\r\n", i, size, value), "+OK\r\n")
				gets = fmt.Appendf(gets, "GET %d\r\n", i)
				want = fmt.Appendf(want, "$%d\r\n%s\r\n", size, value)
			}
			got := make([]byte, len(want))
			for range rounds {
				_, err := nc.Write(gets)
				require.NoError(t, err)
				_, err = io.ReadFull(nc, got)
				require.NoError(t, err)
				require.True(t, bytes.Equal(want, got), "bytes are out of order")
			}
		})
	}
}

// A client that sends itself a message gets it before the reply from Redis 7.0, later behind the reply of the command,
// or of EXEC. FLUSHALL invalidates before its reply since 8.0, unless it is ASYNC.
func TestOrder_OwnMessages(t *testing.T) {
	const (
		message    = ">3\r\n$7\r\nmessage\r\n$1\r\np\r\n$1\r\nm\r\n"
		invalidate = ">2\r\n$10\r\ninvalidate\r\n_\r\n"
		publish    = "PUBLISH p m\r\n"
		exec       = "MULTI\r\nPUBLISH p m\r\nPING\r\nEXEC\r\n"
		queued     = "+OK\r\n+QUEUED\r\n+QUEUED\r\n"
		eval       = "EVAL \"redis.call('publish','p','m') return 5\" 0\r\n"
	)
	for emulated, want := range map[string]map[string]string{
		"7.0": {publish: message + ":1\r\n", eval: message + ":5\r\n", "FLUSHALL\r\n": "+OK\r\n" + invalidate},
		"7.2": {publish: ":1\r\n" + message, eval: ":5\r\n" + message, "FLUSHALL\r\n": "+OK\r\n" + invalidate,
			exec: queued + "*2\r\n:1\r\n+PONG\r\n" + message},
		"8.2": {"FLUSHALL\r\n": invalidate + "+OK\r\n", "FLUSHALL ASYNC\r\n": "+OK\r\n" + invalidate,
			"MULTI\r\nFLUSHALL\r\nPING\r\nEXEC\r\n": queued + "*2\r\n+OK\r\n+PONG\r\n" + invalidate},
		"valkey-9.1": {publish: ":1\r\n" + message, "FLUSHALL\r\n": "+OK\r\n" + invalidate},
	} {
		s, err := Start(t.Context(), Options{Emulate: emulated})
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close() })
		nc := dial(t, s)
		r := bufio.NewReader(nc)
		_, err = nc.Write([]byte("HELLO 3\r\nSUBSCRIBE p\r\nCLIENT TRACKING on\r\nECHO ready\r\n"))
		require.NoError(t, err)
		for line := ""; line != "ready\r\n"; {
			line, err = r.ReadString('\n')
			require.NoError(t, err)
		}
		for sent, reply := range want {
			_, err := nc.Write([]byte(sent))
			require.NoError(t, err)
			got := make([]byte, len(reply))
			_, err = io.ReadFull(r, got)
			require.NoError(t, err)
			require.Equal(t, reply, string(got), "%s at %s", sent, emulated)
		}
	}
}
