//go:build linux

package server

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// There is one loop, so that requests on several connections are served in the order in which they come, as in Redis.
// With io-threads there are more, and each gets its part of the connections.
func TestLoops_ShareConnections(t *testing.T) {
	for threads, want := range map[int][]int{1: {8}, 3: {3, 3, 2}, 20: {1, 1, 1, 1, 1, 1, 1, 1}} {
		s := StartT(t, Options{Config: fmt.Sprint("io-threads ", threads)})
		for range 8 {
			ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
		}
		require.Equal(t, want, loads(s))
	}
}

// Connections move between loops while they are served. Nothing is lost, and each is served in order.
func TestLoops_GiveConnections(t *testing.T) {
	s := StartT(t, Options{Config: "io-threads 2"})
	s.watchdog.close() // it moves connections itself
	var clients sync.WaitGroup
	for i := range 8 {
		nc := dial(t, s)
		ask(t, nc, "PING\r\n", "+PONG\r\n")
		clients.Go(func() { count(t, nc, "n"+strconv.Itoa(i)) })
	}
	for i := range 20 {
		from, to := loopOf(s, i%2), loopOf(s, 1-i%2)
		for range 2 {
			before := from.load()
			from.giveTo.Store(to)
			from.wake()
			eventually(t, "half are given", func() bool { return from.giveTo.Load() == nil && from.load() <= before })
		}
	}
	clients.Wait()
	eventually(t, "none is between two loops", func() bool { return loads(s)[0]+loads(s)[1] == 8 })
}

// A loop is full if it is almost always busy and each service takes long.
func TestLoopLoad_Advance(t *testing.T) {
	for _, c := range []struct {
		name               string
		served, idleRounds uint64
		passed             time.Duration
		sleeping           bool
		needsHelp          bool
	}{
		{"slow scripts", 25, 0, fullTime, false, true},
		{"batches of scripts", 700, 3, fullTime, false, true},
		{"some rests", 700, 30, fullTime, false, false},
		{"asleep just now", 700, 3, fullTime, true, false},
		{"short requests", 5000, 0, fullTime, false, false},
		{"nothing", 0, 0, fullTime, false, false},
		{"not long enough yet", 10, 0, fullTime / 2, false, false},
		{"the watchdog has rested", 25, 0, 10 * fullTime, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := loopLoad{time.Unix(1, 0), 10_000, 1_000}
			now := loopLoad{before.at.Add(c.passed), before.served + c.served, before.idleRounds + c.idleRounds}
			load := before
			require.Equal(t, c.needsHelp, load.advance(now, c.sleeping))
			require.Equal(t, c.passed >= fullTime, load == now)
		})
	}
}

// A full loop gives connections to one with far fewer, or to a new one if there is a core for it.
func TestLoops_Split(t *testing.T) {
	s := StartT(t)
	s.watchdog.close() // it splits loops itself
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	s.splitLoop(loopOf(s, 0))
	require.Equal(t, []int{1}, loads(s), "a single connection can't be shared")
	for range 3 {
		ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	}
	if runtime.GOMAXPROCS(0) == 1 {
		s.splitLoop(loopOf(s, 0))
		require.Equal(t, []int{4}, loads(s), "one core has one loop")
		return
	}
	s.splitLoop(loopOf(s, 0))
	loopOf(s, 0).wake()
	eventually(t, "half are given", func() bool { return slices.Equal([]int{2, 2}, loads(s)) })
}

func loopOf(s *Server, i int) *loop {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loops[i]
}

// loads returns the number of connections of each loop.
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
