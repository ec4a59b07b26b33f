package server

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// clockReply is the time that a CLOCK command replies with.
func clockReply(t *testing.T, nc net.Conn, line string) time.Time {
	t.Helper()
	_, err := nc.Write([]byte(line + "\r\n"))
	require.NoError(t, err)
	reply := readLine(t, nc)
	ms, err := strconv.ParseInt(strings.TrimPrefix(reply, ":"), 10, 64)
	require.NoError(t, err, "%s: %s", line, reply)
	return time.UnixMilli(ms)
}

// CLOCK.ADVANCE replies only after the clients whose timeouts have passed have their replies, and no others.
func TestClockAdvance_EndsTheTimeoutsOnItsWay(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		const clients = 100
		waiters := make([]net.Conn, clients)
		for i := range waiters {
			waiters[i] = dial()
			blocked(t, s, waiters[i], fmt.Sprintf("BLPOP q %d", 10*(i+1)))
		}
		operator := dial()
		before := clockReply(t, operator, "CLOCK.FREEZE")
		after := clockReply(t, operator, fmt.Sprintf("CLOCK.ADVANCE %d", 10_000*clients/2))
		require.Equal(t, 500*time.Second, after.Sub(before))
		for _, w := range waiters[:clients/2] {
			ask(t, w, "", "*-1\r\n")
		}
		for _, w := range waiters[clients/2:] { // these still wait, the longest first
			ask(t, operator, "RPUSH q x\r\nLLEN q\r\n", ":1\r\n:0\r\n")
			ask(t, w, "", "*2\r\n$1\r\nq\r\n$1\r\nx\r\n")
		}
	})
}

// A lease of 30 s lapses in a pipeline: each command sees the time that the one before has set.
func TestClock_InAPipeline(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		now := clockReply(t, nc, "CLOCK.SET 2000000000000").UnixMilli()
		require.Equal(t, int64(2_000_000_000_000), now)
		now = clockReply(t, nc, "CLOCK.FREEZE").UnixMilli()
		ask(t, nc, "SET lock x PX 30000\r\nCLOCK.ADVANCE 29999\r\nPTTL lock\r\nCLOCK.ADVANCE 1\r\nEXISTS lock\r\n"+
			"CLOCK.NOW\r\n",
			fmt.Sprintf("+OK\r\n:%d\r\n:1\r\n:%d\r\n:0\r\n:%d\r\n", now+29_999, now+30_000, now+30_000))
		require.Equal(t, now+30_000, s.Clock().Now().UnixMilli())
	})
}

// A client that leaves while it moves the clock, and a server that closes meanwhile, leave nothing.
func TestClockAdvance_ClientLeaves(t *testing.T) {
	s := StartT(t)
	runner, nc := dial(t, s), dial(t, s)
	runs(t, runner, `"while true do redis.call('get', KEYS[1]) end" 1 k`)
	ask(t, dial(t, s), "SET other v PX 1000\r\n", "+OK\r\n")
	_, err := nc.Write([]byte("CLOCK.ADVANCE 3600000\r\n"))
	require.NoError(t, err)
	require.NoError(t, nc.Close())
	until(t, dial(t, s), "SCRIPT KILL", "+OK")
}

// The commands that wait behind one another in a pipeline have their timeouts one after the other, each at its time.
func TestClockAdvance_PipelineOfBlockingCommands(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator, nc := dial(), dial()
		clockReply(t, operator, "CLOCK.FREEZE")
		for range 20 {
			blocked(t, s, nc, "BLPOP x 1\r\nBLPOP y 1\r\nBLPOP z 1\r\nECHO done")
			clockReply(t, operator, "CLOCK.ADVANCE 3000")
			ask(t, nc, "", "*-1\r\n*-1\r\n*-1\r\n$4\r\ndone\r\n")
		}
	})
}

// The server ends though a clock that nobody will move keeps a command.
func TestClose_WhileACommandSleepsOnAFrozenClock(t *testing.T) {
	s := StartT(t)
	s.Clock().Freeze()
	nc := dial(t, s)
	_, err := nc.Write([]byte("DEBUG SLEEP 100\r\n"))
	require.NoError(t, err)
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
}
