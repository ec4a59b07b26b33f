package server

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"
)

// FuzzConnection feeds arbitrary bytes to a connection, in pieces. The server must reply or close, and serve another
// client.
func FuzzConnection(f *testing.F) {
	for _, seed := range []string{
		"PING\r\n", "*1\r\n$4\r\nPING\r\n", "*0\r\n*-1\r\nPING\r\n", "*1\r\n$-5\r\n", "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n" +
			"$5\r\nabcd\r\nx",
		"*2147483648\r\n", "GET \"a\\x41\r\n", "HELLO 3\r\nSUBSCRIBE a\r\nPUBLISH a b\r\n", "MULTI\r\nEVAL \"return " +
			"redis.call('incr','x')\" 0\r\nEXEC\r\n",
	} {
		f.Add([]byte(seed), 3)
	}
	s := StartT(f)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		client, conn := net.Pipe()
		s.ServeConn(conn)
		_ = client.SetDeadline(time.Now().Add(testTimeout))
		closed := make(chan struct{})
		go func() { _, _ = io.Copy(io.Discard, client); close(closed) }()
		for len(data) > 0 {
			n := min(max(1, piece), len(data))
			if _, err := client.Write(data[:n]); err != nil {
				break
			}
			data = data[n:]
		}
		_ = client.Close()
		<-closed

		nc, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Fatalf("another client can't connect: %v", err)
		}
		defer nc.Close()
		_ = nc.SetDeadline(time.Now().Add(testTimeout))
		_, _ = nc.Write([]byte("PING\r\n"))
		got := make([]byte, 7)
		if _, err := io.ReadFull(nc, got); err != nil || !bytes.Equal(got, []byte("+PONG\r\n")) {
			t.Fatalf("another client got %q, %v", got, err)
		}
	})
}
