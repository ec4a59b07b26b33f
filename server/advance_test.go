package server

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// In one Advance, a connection gets the events of keys that expire before and after the timeout of its own blocked
// command in their order.
func TestAdvance_EffectsComeInTheOrderOfTime(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		other, nc := dial(), dial()
		ask(t, other, "CONFIG SET notify-keyspace-events Ex\r\n", "+OK\r\n")
		_, err := nc.Write([]byte("HELLO 3\r\nSUBSCRIBE __keyevent@0__:expired\r\n"))
		require.NoError(t, err)
		r := bufio.NewReader(nc)
		for line := ""; line != ":1\r\n"; {
			line, err = r.ReadString('\n')
			require.NoError(t, err)
		}
		ask(t, other, "SET third x PX 20001\r\nSET first x PX 1000\r\n", "+OK\r\n+OK\r\n")
		ask(t, other, "SET last x PX 60000\r\nSET second x PX 1900\r\n", "+OK\r\n+OK\r\n")
		blocked(t, s, nc, "BLPOP q 15")
		start := s.clock.Now()
		s.Advance(90 * time.Second)
		require.Less(t, s.clock.Now().Sub(start), 100*time.Second)
		event := func(key string) string {
			return fmt.Sprintf(">3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$%d\r\n%s\r\n", len(key), key)
		}
		want := event("first") + event("second") + "_\r\n" + event("third") + event("last")
		got := make([]byte, len(want))
		n, err := io.ReadFull(r, got)
		require.NoError(t, err, "%q", got[:n])
		require.Equal(t, want, string(got))
	})
}

// Keys of all shards expire in the order of their times, though each shard has its own timing wheel.
func TestAdvance_ExpiredEventsInOrder(t *testing.T) {
	s := StartT(t)
	nc, sub := dial(t, s), dial(t, s)
	ask(t, nc, "CONFIG SET notify-keyspace-events Ex\r\n", "+OK\r\n")
	ask(t, sub, "SUBSCRIBE __keyevent@0__:expired\r\n", "*3\r\n$9\r\nsubscribe\r\n$22\r\n__keyevent@0__:expired\r\n:1\r\n")
	const keys = 1000
	moments := rand.New(rand.NewPCG(1, 2)).Perm(keys)
	at := s.clock.Now().Add(time.Hour).UnixMilli() // nothing is due before all are set
	for i, m := range moments {
		ask(t, nc, fmt.Sprintf("SET key:%d x PXAT %d\r\n", i, at+int64(m)*3600), "+OK\r\n")
	}
	s.Advance(3 * time.Hour)
	ask(t, nc, "DBSIZE\r\n", ":0\r\n")
	want := ""
	for m := range keys {
		key := fmt.Sprintf("key:%d", slices.Index(moments, m))
		want += fmt.Sprintf("*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$%d\r\n%s\r\n", len(key), key)
	}
	ask(t, sub, "", want)
}

// Clients that CLIENT PAUSE has delayed are served at its end, and their timeouts start there.
func TestAdvance_PauseEndsInTime(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator, nc := dial(), dial()
		ask(t, operator, "CLIENT PAUSE 60000 WRITE\r\n", "+OK\r\n")
		blocked(t, s, nc, "SET k v EX 10000")
		s.Advance(120 * time.Second)
		ask(t, nc, "", "+OK\r\n")
		_, err := nc.Write([]byte("TTL k\r\n"))
		require.NoError(t, err)
		left, err := strconv.Atoi(strings.TrimPrefix(readLine(t, nc), ":"))
		require.NoError(t, err)
		require.LessOrEqual(t, left, 9940)
		require.Greater(t, left, 9890, "its time does not begin before the pause ends")
		s.Advance(9940 * time.Second)
		ask(t, nc, "EXISTS k\r\n", ":0\r\n")
	})
}

// A script that does not end blocks commands that need its shards, but not Advance.
func TestAdvance_DoesNotWaitForAnEndlessScript(t *testing.T) {
	s := StartT(t)
	runner, nc := dial(t, s), dial(t, s)
	ask(t, nc, "CONFIG SET busy-reply-threshold 50\r\nSET k v PX 1000\r\n", "+OK\r\n+OK\r\n")
	runs(t, runner, `"while true do redis.call('get', KEYS[1]) end" 1 k`)
	start := s.clock.Now()
	s.Advance(time.Hour)
	require.GreaterOrEqual(t, s.clock.Now().Sub(start), time.Hour)
	until(t, nc, "SCRIPT KILL", "+OK")
	until(t, nc, "DBSIZE", ":0")
}

func TestAdvance_Concurrent(t *testing.T) {
	s := StartT(t)
	nc := dial(t, s)
	var all sync.WaitGroup
	for i := range 10 {
		ask(t, nc, fmt.Sprintf("SET k%d v PX %d\r\n", i, 1+i*900), "+OK\r\n")
	}
	for range 10 {
		all.Go(func() { s.Advance(time.Second) })
	}
	all.Wait()
	ask(t, nc, "DBSIZE\r\n", ":0\r\n")
}

// BenchmarkAdvance_1000000 advances the clock past the expiry of 1,000,000 keys, at one or at many times.
func BenchmarkAdvance_1000000(b *testing.B) {
	for name, moments := range map[string]int{"at one moment": 1, "each at its own": 1_000_000} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := StartT(b)
				fill(b, s, 1_000_000, moments)
				b.StartTimer()
				s.Advance(2 * time.Hour)
				b.StopTimer()
				require.NoError(b, s.Close())
				b.StartTimer()
			}
		})
	}
}

// fill sets keys with a time to live, 1000 in each script.
func fill(b *testing.B, s *Server, keys, moments int) {
	nc, err := net.Dial("tcp", s.Addr())
	require.NoError(b, err)
	defer nc.Close()
	at := s.clock.Now().Add(10 * time.Minute).UnixMilli()
	r := bufio.NewReader(nc)
	script := fmt.Sprintf("for i=ARGV[1]*1000,ARGV[1]*1000+999 do redis.call('set', 'k'..i, 'x', 'pxat', %d + i%%%d) end",
		at, moments)
	for i := range keys / 1000 {
		_, err = fmt.Fprintf(nc, "EVAL \"%s\" 0 %d\r\n", script, i)
		require.NoError(b, err)
		line, err := r.ReadString('\n')
		require.NoError(b, err)
		require.Equal(b, "$-1\r\n", line)
	}
}
