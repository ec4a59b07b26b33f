package memconn

import (
	"bytes"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func inBubble(t *testing.T, test func(t *testing.T, a, b net.Conn)) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe("memory:1", "memory:0")
		test(t, a, b)
		require.NoError(t, a.Close())
		require.NoError(t, b.Close())
	})
}

// A write returns when its bytes fit into the buffer, and otherwise waits for the reader.
func TestConn_Write(t *testing.T) {
	inBubble(t, func(t *testing.T, a, b net.Conn) {
		sent := bytes.Repeat([]byte("0123456789abcdef"), 3*room/16)
		n, err := a.Write(sent[:room])
		require.NoError(t, err)
		require.Equal(t, room, n)
		go func() {
			_, _ = a.Write(sent[room:])
			_ = a.Close()
		}()
		synctest.Wait()
		got, err := io.ReadAll(b)
		require.NoError(t, err)
		require.True(t, bytes.Equal(sent, got))
	})
}

// A deadline ends what waits at its time, also if it was set later, and an earlier one before that. One that has passed
// comes before bytes.
func TestConn_Deadlines(t *testing.T) {
	inBubble(t, func(t *testing.T, a, b net.Conn) {
		start, buf := time.Now(), make([]byte, 10)
		at := func(passed time.Duration, set func(time.Time) error) { require.NoError(t, set(start.Add(passed))) }
		fails := func(passed time.Duration, do func([]byte) (int, error), buf []byte) {
			_, err := do(buf)
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.True(t, err.(net.Error).Timeout())
			require.Equal(t, passed, time.Since(start))
		}
		at(2*time.Second, a.SetReadDeadline)
		fails(2*time.Second, a.Read, buf)
		at(10*time.Second, a.SetReadDeadline)
		go func() {
			time.Sleep(time.Second)
			_ = a.SetReadDeadline(start.Add(5 * time.Second))
		}()
		fails(5*time.Second, a.Read, buf)
		at(6*time.Second, a.SetWriteDeadline)
		fails(6*time.Second, a.Write, make([]byte, room+1))
		at(0, b.SetReadDeadline)
		fails(6*time.Second, b.Read, buf)
		require.NoError(t, b.SetDeadline(time.Time{}))
		n, err := b.Read(buf)
		require.NoError(t, err)
		require.Equal(t, len(buf), n)
	})
}

func TestConn_Close(t *testing.T) {
	inBubble(t, func(t *testing.T, a, b net.Conn) {
		_, err := a.Write([]byte("bye"))
		require.NoError(t, err)
		require.NoError(t, a.Close())
		got, err := io.ReadAll(b)
		require.NoError(t, err)
		require.Equal(t, "bye", string(got))
		_, err = b.Write([]byte("x"))
		require.ErrorIs(t, err, syscall.EPIPE)
		_, err = a.Read(make([]byte, 1))
		require.ErrorIs(t, err, net.ErrClosed)
		require.EqualError(t, err, "read memory memory:1->memory:0: use of closed network connection")
		require.ErrorIs(t, a.SetDeadline(time.Now()), net.ErrClosed)
		_, err = a.Write(nil)
		require.ErrorIs(t, err, net.ErrClosed)
	})
}
