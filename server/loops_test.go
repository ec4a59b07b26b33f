//go:build linux

package server

import (
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a client sends on one connection and then, without waiting, on another is served in this order: there are programs that
// lean on it, as Redis has one thread.
func TestLoops_OneServesInOrder(t *testing.T) {
	s := StartT(t)
	one, other := dial(t, s), dial(t, s)
	for i := range 2000 {
		_, err := one.Write([]byte("SET k " + strconv.Itoa(1000+i) + "\r\n"))
		require.NoError(t, err)
		ask(t, other, "GET k\r\n", "$4\r\n"+strconv.Itoa(1000+i)+"\r\n")
		ask(t, one, "", "+OK\r\n")
	}
}

// A loop that has no rest shares its connections with another. Nothing is lost meanwhile, and each is served in order.
func TestLoops_ShareConnections(t *testing.T) {
	s := StartT(t)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for i := range 8 {
		nc := dial(t, s)
		wg.Go(func() { count(t, nc, "n"+strconv.Itoa(i), stop) })
	}
	shared := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.loops) > 1 && s.loops[0].load() > 0 && s.loops[1].load() > 0
	}
	if loopLimit() > 1 {
		for deadline := time.Now().Add(30 * time.Second); !shared(); time.Sleep(time.Millisecond) {
			require.True(t, time.Now().Before(deadline), "the loop keeps its connections")
		}
	}
	close(stop)
	wg.Wait()
}

// count increments a key in batches until it is stopped, and compares the replies.
func count(t *testing.T, nc net.Conn, key string, stop chan struct{}) {
	const batch = 200
	request := []byte(strings.Repeat("INCR "+key+"\r\n", batch))
	for n := 0; ; {
		select {
		case <-stop:
			return
		default:
		}
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
