package server

import (
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
