package server

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// runs sends a script that does not end.
func runs(t *testing.T, nc net.Conn, words string) {
	t.Helper()
	_, err := nc.Write([]byte("EVAL " + words + "\r\n"))
	require.NoError(t, err)
}

// until repeats a request until the reply is as wanted.
func until(t *testing.T, nc net.Conn, send, want string) {
	t.Helper()
	deadline := time.Now().Add(testTimeout)
	for got := ""; got != want; {
		require.True(t, time.Now().Before(deadline), "%s: still %q", send, got)
		_, err := nc.Write([]byte(send + "\r\n"))
		require.NoError(t, err)
		got = readLine(t, nc)
	}
}

func readLine(t *testing.T, nc net.Conn) string {
	t.Helper()
	var line strings.Builder
	for b := make([]byte, 1); b[0] != '\n'; {
		_, err := nc.Read(b)
		require.NoError(t, err, "after %q", line.String())
		line.Write(b)
	}
	return strings.TrimSuffix(line.String(), "\r\n")
}

const busyReply = "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."

// Until the threshold a long script delays no client that does not need its keys, on any loop.
func TestBusy_ALongScriptDoesNotDelayOthers(t *testing.T) {
	s := StartT(t)
	runner := dial(t, s)
	runs(t, runner, `"while true do end" 1 some-key`)
	key := "k"
	for store.LockOf([]byte(key)) == store.LockOf([]byte("some-key")) {
		key += "k"
	}
	for range 2 * 4 {
		ask(t, dial(t, s), "SET "+key+" v\r\nGET "+key+"\r\n", "+OK\r\n$1\r\nv\r\n")
	}
}

func TestBusy_ScriptKill(t *testing.T) {
	eachDriver(t, func(t *testing.T, _ *Server, dial func() net.Conn) {
		other := dial()
		ask(t, other, "SCRIPT KILL\r\n", "-NOTBUSY No scripts in execution right now.\r\n")
		ask(t, other, "CONFIG SET busy-reply-threshold 20\r\n", "+OK\r\n")
		runner := dial()
		runs(t, runner, `"while true do pcall(function() while true do end end) end" 0`)
		until(t, other, "PING", busyReply)
		ask(t, other, "GET x\r\nSHUTDOWN\r\nFUNCTION STATS\r\n", strings.Repeat(busyReply+"\r\n", 3))
		ask(t, other, "SHUTDOWN ABORT\r\n", "-ERR No shutdown in progress.\r\n")
		ask(t, other, "SCRIPT KILL\r\n", "+OK\r\n")
		require.Contains(t, readLine(t, runner), "-ERR Script killed by user with SCRIPT KILL... script: ")
		until(t, other, "PING", "+PONG")
		ask(t, runner, "PING\r\n", "+PONG\r\n")
	})
}

func TestBusy_AScriptThatHasWrittenIsNotKilled(t *testing.T) {
	s := StartT(t)
	other := dial(t, s)
	ask(t, other, "CONFIG SET busy-reply-threshold 20\r\n", "+OK\r\n")
	runs(t, dial(t, s), `"redis.call('set', KEYS[1], 1) while true do end" 1 k`)
	until(t, other, "PING", busyReply)
	_, err := other.Write([]byte("SCRIPT KILL\r\n"))
	require.NoError(t, err)
	require.Contains(t, readLine(t, other), "-UNKILLABLE ")
	_, err = other.Write([]byte("SHUTDOWN NOSAVE\r\n"))
	require.NoError(t, err)
	<-s.Done()
	require.NoError(t, s.Close(), "and Close does not wait for the script for ever")
}

// A client that needs the key of a long script waits for it; others are served.
func TestBusy_AWaiterForTheKeyIsServedAfterwards(t *testing.T) {
	s := StartT(t)
	ask(t, dial(t, s), "CONFIG SET busy-reply-threshold 600000\r\nSET k 1\r\n", "+OK\r\n+OK\r\n")
	runner := dial(t, s)
	runs(t, runner, `"while redis.call('pubsub', 'numsub', 'end')[2] == 0 do end return redis.call('incr', KEYS[1])" 1 k`)
	waiter := dial(t, s)
	_, err := waiter.Write([]byte("INCR k\r\nPING\r\n"))
	require.NoError(t, err)
	for range 8 {
		ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	}
	ask(t, dial(t, s), "SUBSCRIBE end\r\n", "*3\r\n$9\r\nsubscribe\r\n$3\r\nend\r\n:1\r\n")
	replies := readLine(t, runner) + readLine(t, waiter)
	require.Contains(t, []string{":2:3", ":3:2"}, replies)
	require.Equal(t, "+PONG", readLine(t, waiter))
	ask(t, waiter, "PING\r\n", "+PONG\r\n")
}

// loadForever loads a library with a function that does not end.
func loadForever(t *testing.T, nc net.Conn) {
	t.Helper()
	const library = "#!lua name=lib\nredis.register_function('forever', function() while true do end end)"
	ask(t, nc, "*3\r\n$8\r\nFUNCTION\r\n$4\r\nLOAD\r\n$"+strconv.Itoa(len(library))+"\r\n"+library+"\r\n",
		"$3\r\nlib\r\n")
}

// FUNCTION STATS waits until the threshold, and returns the function then.
func TestBusy_FunctionStatsBeforeTheThreshold(t *testing.T) {
	s := StartT(t)
	other := dial(t, s)
	loadForever(t, other)
	ask(t, other, "CONFIG SET busy-reply-threshold 300\r\n", "+OK\r\n")
	runner := dial(t, s)
	_, err := runner.Write([]byte("FCALL forever 0\r\n"))
	require.NoError(t, err)
	eventually(t, "the function runs", func() bool {
		return strings.Contains(bulk(t, other, "CLIENT LIST"), "cmd=fcall")
	})
	ask(t, other, "FUNCTION STATS\r\n", "*4\r\n$14\r\nrunning_script\r\n*6\r\n$4\r\nname\r\n$7\r\nforever\r\n")
	require.NoError(t, s.Close())
}

// Only FUNCTION KILL kills a function, and FUNCTION STATS returns it.
func TestBusy_FunctionKill(t *testing.T) {
	s := StartT(t)
	other := dial(t, s)
	loadForever(t, other)
	ask(t, other, "CONFIG SET busy-reply-threshold 20\r\nFUNCTION KILL\r\n",
		"+OK\r\n-NOTBUSY No scripts in execution right now.\r\n")
	runner := dial(t, s)
	_, err := runner.Write([]byte("FCALL forever 0\r\n"))
	require.NoError(t, err)
	const busy = "-BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE."
	until(t, other, "PING", busy)
	ask(t, other, "SCRIPT KILL\r\nFUNCTION STATS\r\n",
		busy+"\r\n*4\r\n$14\r\nrunning_script\r\n*6\r\n$4\r\nname\r\n$7\r\nforever\r\n"+
			"$7\r\ncommand\r\n"+bulks("FCALL", "forever", "0")+"$11\r\nduration_ms\r\n:")
	for line := ""; line != ":1"; { // the rest of the reply: one library, one function
		line = readLine(t, other)
	}
	require.Equal(t, "$15", readLine(t, other))
	require.Equal(t, "functions_count", readLine(t, other))
	require.Equal(t, ":1", readLine(t, other))
	ask(t, other, "FUNCTION KILL\r\n", "+OK\r\n")
	require.Contains(t, readLine(t, runner), "-ERR Script killed by user with SCRIPT KILL... script: forever")
	until(t, other, "PING", "+PONG")
}

func TestOptions_ScriptMemory(t *testing.T) {
	s, err := Start(t.Context(), Options{ScriptMemory: 8 << 20})
	require.NoError(t, err)
	defer s.Close()
	nc := dial(t, s)
	runs(t, nc, `"local t = {} while true do t[#t+1] = {1, 2, 3} end" 0`)
	require.Contains(t, readLine(t, nc), "script memory limit exceeded")
	ask(t, nc, "PING\r\n", "+PONG\r\n")
}
