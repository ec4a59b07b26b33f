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

// Without load there is one loop, so that what a client sends on one connection and then, without waiting, on another is served
// in this order as often as in Redis, where epoll does not promise it either.
func TestLoops_BeginWithOne(t *testing.T) {
	s := StartT(t)
	for range 10 {
		ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	}
	require.Equal(t, []int{10}, loads(s))
}

// Connections move between loops while they are served. Nothing is lost, and each is served in order.
func TestLoops_ShareConnections(t *testing.T) {
	s := StartT(t)
	s.watchdog.close() // it moves connections itself
	for range 2 {      // on one core, too, where the server would not add the second
		s.mu.Lock()
		_, err := s.addLoop()
		s.mu.Unlock()
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for i := range 8 {
		nc := dial(t, s)
		wg.Go(func() { count(t, nc, "n"+strconv.Itoa(i), stop) })
	}
	for range 20 {
		eventually(t, "one has all", func() bool { return len(loads(s)) > 0 && loads(s)[0] == 8 })
		require.True(t, s.relieve(s.loops[0]))
		eventually(t, "another has some", func() bool { return loads(s)[1] > 0 })
		eventually(t, "one has all again", func() bool {
			if s.loops[1].handoff.Load() != nil || loads(s)[0] == 8 {
				return s.loops[1].handoff.Load() == nil
			}
			s.loops[1].handoff.Store(&handoff{target: s.loops[0], all: true}) // again: it keeps those with something queued
			s.loops[1].wake()
			return false
		})
	}
	close(stop)
	wg.Wait()
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

// A loop that does not pay gives its connections back, one that does keeps them. It pays sooner where services take long.
func TestBalance_Judge(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after uint64 // services a second
		pays          bool
	}{
		{"a gain", 60_000, 100_000, true},
		{"hardly a gain", 90_000, 100_000, false},
		{"a gain for long services", 850, 1_000, true},
		{"hardly one for long services", 980, 1_000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			loops := []*loop{{}, {}}
			start := sample{at: time.Now().Add(-time.Second)}
			loops[0].rounds.Store(c.after - c.after/3)
			loops[1].rounds.Store(c.after / 3)
			b := balance{before: float64(c.before), from: start}
			b.judge(loops)
			require.Zero(t, b.before)
			require.Nil(t, loops[0].handoff.Load())
			require.Equal(t, c.pays, loops[1].handoff.Load() == nil)
			require.Equal(t, c.pays, b.rest.IsZero())
		})
	}
}

// A full loop gets help if a core was idle, no trial goes on, and it has connections to give; from a new loop if there may be one more.
func TestBalance_Add(t *testing.T) {
	s := StartT(t)
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	s.watchdog.close()
	full := s.loops[0]
	full.rounds.Add(1000)
	idle := sample{at: time.Now().Add(-time.Second), idle: idleTime() - time.Hour}
	busy := sample{at: idle.at, idle: idleTime() + time.Hour}

	b := new(balance)
	b.add(s, full, idle, s.loops)
	require.Zero(t, b.before, "a single connection can't be shared")
	for range 3 {
		ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	}
	b.add(s, full, busy, s.loops)
	require.Zero(t, b.before, "no core was idle")
	b.add(s, full, idle, s.loops)
	if loopLimit() == 1 {
		require.Zero(t, b.before, "one core has one loop")
		return
	}
	require.Positive(t, b.before)
	s.mu.Lock()
	loops := len(s.loops)
	s.mu.Unlock()
	require.Equal(t, 2, loops)
	trial := *b
	b.add(s, full, idle, s.loops)
	require.Equal(t, trial, *b, "the trial goes on")
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
