package server

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

const (
	streamGone = "-UNBLOCKED the stream key no longer exists\r\n"
	groupGone  = "-NOGROUP the consumer group this client was blocked on no longer exists\r\n"
)

// delivered is the reply of XREADGROUP for one stream whose entries have one field each; words are ID, field, value,
// ID, ...
func delivered(key string, words ...string) string {
	reply := "*1\r\n*2\r\n" + strings.TrimPrefix(bulks(key), "*1\r\n") + "*" + string(rune('0'+len(words)/3)) + "\r\n"
	for ; len(words) > 0; words = words[3:] {
		reply += "*2\r\n" + strings.TrimPrefix(bulks(words[0]), "*1\r\n") + bulks(words[1], words[2])
	}
	return reply
}

// run sends commands one by one; none may return an error.
func run(t *testing.T, nc net.Conn, lines ...string) {
	t.Helper()
	for _, line := range lines {
		_, err := nc.Write([]byte(line + "\r\n"))
		require.NoError(t, err)
		buffer := make([]byte, 1024)
		n, err := nc.Read(buffer)
		require.NoError(t, err)
		require.NotEqual(t, byte('-'), buffer[0], "%s: %s", line, buffer[:n])
	}
}

// before72 is a server whose calls that block end when what they wait for is gone: since Redis 7.2 they run again, and
// fail as a new call would.
var before72 = Options{Emulate: "7.0"}

func TestBlocking_ReadGroup_HowItEnds(t *testing.T) {
	testCases := []struct {
		name  string
		lines []string
		reply string
	}{
		{"entries", []string{"XADD s 2-1 a b"}, delivered("s", "2-1", "a", "b")},
		{"entries by a transaction", []string{"MULTI", "XADD s 2-1 a b", "XADD s 2-2 c d", "EXEC"},
			delivered("s", "2-1", "a", "b", "2-2", "c", "d")},
		{"entries that are gone again", []string{"MULTI", "XADD s 2-1 a b", "XDEL s 2-1", "EXEC"}, delivered("s")},
		{"entries before, after SETID", []string{"XGROUP SETID s g 0", "XADD s 2-1 a b"},
			delivered("s", "1-1", "a", "1", "2-1", "a", "b")},
		{"neither SETID nor XDEL nor an expiry wakes",
			[]string{"XGROUP SETID s g 0", "XDEL s 1-1", "PEXPIRE s 100000", "XSETID s 9-1", "XADD s 10-1 a b"},
			delivered("s", "10-1", "a", "b")},
		{"the key is deleted", []string{"DEL s"}, streamGone},
		{"the key is set", []string{"SET s x"}, streamGone},
		{"the key is another type's", []string{"MULTI", "DEL s", "SADD s x", "EXEC"}, streamGone},
		{"another stream without the group", []string{"MULTI", "DEL s", "XADD s 5-1 a b", "EXEC"}, groupGone},
		{"another stream with the group", []string{"MULTI", "DEL s", "XADD s 5-1 a b", "XGROUP CREATE s g 0", "EXEC"},
			delivered("s", "5-1", "a", "b")},
		{"the group is destroyed", []string{"XGROUP DESTROY s g"}, groupGone},
		{"the group is made anew", []string{"MULTI", "XGROUP DESTROY s g", "XGROUP CREATE s g 0", "EXEC"},
			delivered("s", "1-1", "a", "1")},
		{"FLUSHALL", []string{"FLUSHALL"}, streamGone},
		{"FLUSHDB", []string{"FLUSHDB"}, streamGone},
		{"the key is renamed", []string{"RENAME s t"}, streamGone},
		{"the key is moved", []string{"MOVE s 3"}, streamGone},
		{"the databases are swapped", []string{"SWAPDB 0 5"}, streamGone},
		{"a stream is renamed to it", []string{"XGROUP CREATE t g 0 MKSTREAM", "XADD t 7-1 a b", "RENAME t s"},
			delivered("s", "7-1", "a", "b")},
		{"a stream without the group is renamed to it", []string{"XADD t 7-1 a b", "RENAME t s"}, groupGone},
	}
	for _, testCase := range testCases {
		t.Run(testCase.name, func(t *testing.T) {
			s := StartT(t, before72)
			waiter, other := dial(t, s), dial(t, s)
			run(t, other, "XADD s 1-1 a 1", "XGROUP CREATE s g $")
			blocked(t, s, waiter, "XREADGROUP GROUP g c BLOCK 0 STREAMS s >")
			run(t, other, testCase.lines...)
			ask(t, waiter, "", testCase.reply)
			require.Zero(t, blockedClients(s))
		})
	}
}

func TestBlocking_ReadGroup_TheKeyExpires(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		waiter, other := dial(), dial()
		run(t, other, "XGROUP CREATE s g $ MKSTREAM", "PEXPIRE s 100000")
		blocked(t, s, waiter, "XREADGROUP GROUP g c BLOCK 0 STREAMS s >")
		s.Advance(100 * time.Second)
		ask(t, waiter, "", streamGone)
	}, before72)
}

func TestBlocking_ReadGroup_FirstComeFirstServed(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		one, two, other := dial(), dial(), dial()
		run(t, other, "XGROUP CREATE s g $ MKSTREAM", "XGROUP CREATE s h $")
		blocked(t, s, one, "XREADGROUP GROUP g c1 COUNT 1 BLOCK 0 STREAMS s >")
		blocked(t, s, two, "XREADGROUP GROUP g c2 BLOCK 0 NOACK STREAMS s >")
		last := dial()
		blocked(t, s, last, "XREADGROUP GROUP h c COUNT 1 BLOCK 0 STREAMS s >")
		run(t, other, "MULTI", "XADD s 2-1 a 1", "XADD s 2-2 a 2", "XADD s 2-3 a 3", "EXEC")
		ask(t, one, "", delivered("s", "2-1", "a", "1"))
		ask(t, two, "", delivered("s", "2-2", "a", "2", "2-3", "a", "3"))
		ask(t, last, "", delivered("s", "2-1", "a", "1"))
		ask(t, other, "XPENDING s g\r\n", "*4\r\n:1\r\n$3\r\n2-1\r\n$3\r\n2-1\r\n*1\r\n*2\r\n$2\r\nc1\r\n$1\r\n1\r\n")
	})
}

// XREADGROUP on several keys returns only the key that got an entry.
func TestBlocking_ReadGroup_SeveralKeys(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		waiter, other := dial(), dial()
		for _, key := range []string{"s", "t", "u"} {
			run(t, other, "XGROUP CREATE "+key+" g $ MKSTREAM")
		}
		blocked(t, s, waiter, "XREADGROUP GROUP g c BLOCK 0 STREAMS s t u > > >")
		run(t, other, "XADD t 1-1 a b")
		ask(t, waiter, "", delivered("t", "1-1", "a", "b"))
		blocked(t, s, waiter, "XREADGROUP GROUP g c BLOCK 0 STREAMS s t u > > >")
		run(t, other, "DEL u")
		ask(t, waiter, "", streamGone)
	}, before72)
}

func TestBlocking_ReadGroup_TimesOut(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		waiter, other := dial(), dial()
		run(t, other, "XGROUP CREATE s g $ MKSTREAM")
		blocked(t, s, waiter, "XREADGROUP GROUP g c BLOCK 5000000 STREAMS s >")
		s.Advance(5000 * time.Second)
		ask(t, waiter, "", "*-1\r\n")
		ask(t, other, "XINFO CONSUMERS s g\r\n", "*0\r\n")
	}, before72)
}

// A blocked call counts once, and as failed if it ends with an error.
func TestBlocking_CountsOnce(t *testing.T) {
	s := StartT(t, before72)
	waiter, other := dial(t, s), dial(t, s)
	run(t, other, "XGROUP CREATE s g $ MKSTREAM")
	blocked(t, s, waiter, "XREADGROUP GROUP g c BLOCK 0 STREAMS s >")
	run(t, other, "XGROUP DESTROY s g")
	ask(t, waiter, "", groupGone)
	blocked(t, s, waiter, "BLPOP k 0")
	run(t, other, "RPUSH k v")
	ask(t, waiter, "", bulks("k", "v"))
	_, err := other.Write([]byte("INFO commandstats errorstats\r\n"))
	require.NoError(t, err)
	size, err := strconv.Atoi(strings.TrimPrefix(readReply(other), "$"))
	require.NoError(t, err)
	text := make([]byte, size)
	_, err = readFull(other, text)
	require.NoError(t, err)
	stats := string(text)
	require.Contains(t, stats, "cmdstat_xreadgroup:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=1\r\n")
	require.Contains(t, stats, "cmdstat_blpop:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=0\r\n")
	require.Contains(t, stats, "errorstat_NOGROUP:count=1\r\n")
}
