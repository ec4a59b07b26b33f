//go:build linux

package server

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// There is one loop, so that what a client sends on one connection and then, without waiting, on another is served in this order as often
// as in Redis, where epoll does not promise it either. With io-threads there may be more, and each gets its part of the connections.
func TestLoops_ShareConnections(t *testing.T) {
	for threads, want := range map[int][]int{1: {8}, 3: {3, 3, 2}, 20: {1, 1, 1, 1, 1, 1, 1, 1}} {
		s := StartT(t, Options{Config: fmt.Sprint("io-threads ", threads)})
		var clients sync.WaitGroup
		for i := range 8 {
			nc := dial(t, s)
			ask(t, nc, "PING\r\n", "+PONG\r\n")
			clients.Go(func() { count(t, nc, "n"+strconv.Itoa(i)) })
		}
		require.Equal(t, want, loads(s))
		clients.Wait()
	}
}

// loads is the number of connections of each loop.
func loads(s *Server) (n []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.loops {
		n = append(n, l.load())
	}
	return n
}

// count increments a key in batches, and compares the replies.
func count(t *testing.T, nc net.Conn, key string) {
	const batch = 200
	request := []byte(strings.Repeat("INCR "+key+"\r\n", batch))
	for n := 0; n < 50*batch; {
		var want strings.Builder
		for range batch {
			n++
			want.WriteString(":" + strconv.Itoa(n) + "\r\n")
		}
		_, err := nc.Write(request)
		got := make([]byte, want.Len())
		if err == nil {
			_, err = io.ReadFull(nc, got)
		}
		if err != nil || string(got) != want.String() {
			t.Errorf("%s: %v, %q instead of %q", key, err, got, want.String())
			return
		}
	}
}
