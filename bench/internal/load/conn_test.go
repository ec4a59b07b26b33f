package load

import (
	"net"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func batchOfTwo(t transport) *conn {
	return newConn(t, &Spec{Batch: 2, Steps: []Step{{Args: []string{"PING"}, Want: "+PONG"}}}, 0)
}

func TestConn_Receive_RepliesInPieces(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	c := batchOfTwo(near)
	defer c.Close()
	pieces := []string{"+PO", "NG\r\n+PONG\r", "\n"}
	go func() {
		for _, piece := range pieces {
			_, _ = far.Write([]byte(piece))
		}
	}()
	for i, ops := range []int64{0, 1, 2} {
		done, err := c.receive()
		require.NoError(t, err)
		require.Equal(t, ops, c.ops)
		require.Equal(t, i == 2, done)
	}
}

func TestConn_Take_MoreRepliesThanRequests(t *testing.T) {
	c := batchOfTwo(nil)
	buf := append(c.in, "+PONG\r\n+PONG\r\n+PONG\r\n"...)
	_, err := c.take(buf)
	require.EqualError(t, err, `a reply without a request: "+PONG\r\n"`)
}
