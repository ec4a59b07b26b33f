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

// blocked sends a command and returns once its client is blocked. Others may still be, though they have their replies:
// a session goes on a moment later.
func blocked(t *testing.T, s *Server, nc net.Conn, line string) {
	t.Helper()
	_, err := nc.Write([]byte(line + "\r\n"))
	require.NoError(t, err)
	eventually(t, line+" blocks", func() bool {
		return countBlocked(s, func(c *conn) bool { return c.session.Addr == nc.LocalAddr().String() }) == 1
	})
}

func blockedClients(s *Server) int { return countBlocked(s, func(*conn) bool { return true }) }

// countBlocked returns how many of the connections that fit have a client that is blocked.
func countBlocked(s *Server, fits func(*conn) bool) (n int) {
	s.eachConn(func(c *conn) {
		if fits(c) && c.session.Blocked() {
			n++
		}
	})
	return n
}

// bulks encodes an array of strings in RESP2.
func bulks(words ...string) string {
	var b strings.Builder
	b.WriteString("*" + strconv.Itoa(len(words)) + "\r\n")
	for _, w := range words {
		b.WriteString("$" + strconv.Itoa(len(w)) + "\r\n" + w + "\r\n")
	}
	return b.String()
}

// notSocket hides that a connection is a socket, so that a goroutine serves it.
type notSocket struct{ net.Conn }

// eachDriver runs a test over sockets that the loops serve, over connections that goroutines serve, and over TLS.
func eachDriver(t *testing.T, test func(t *testing.T, s *Server, dial func() net.Conn), options ...Options) {
	t.Run("loops", func(t *testing.T) {
		s := StartT(t, options...)
		test(t, s, func() net.Conn { return dial(t, s) })
	})
	t.Run("goroutines", func(t *testing.T) {
		s := StartT(t, options...)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer listener.Close()
		test(t, s, func() net.Conn {
			client, err := net.Dial("tcp", listener.Addr().String())
			require.NoError(t, err)
			t.Cleanup(func() { _ = client.Close() })
			require.NoError(t, client.SetDeadline(time.Now().Add(testTimeout)))
			conn, err := listener.Accept()
			require.NoError(t, err)
			s.ServeConn(notSocket{conn})
			return client
		})
	})
	t.Run("TLS", func(t *testing.T) {
		s := StartT(t, append(options, Options{TLS: &TLS{}})...)
		test(t, s, func() net.Conn { return dialTLS(t, s) })
	})
}

func TestBlocking_FirstComeFirstServed(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		waiters := []net.Conn{dial(), dial(), dial()}
		for _, nc := range waiters {
			blocked(t, s, nc, "BLPOP first k 0")
		}
		producer := dial()
		ask(t, producer, "RPUSH k a b\r\n", ":2\r\n")
		ask(t, waiters[0], "", bulks("k", "a"))
		ask(t, waiters[1], "", bulks("k", "b"))
		ask(t, producer, "EXISTS k\r\nRPUSH first c d\r\nLLEN first\r\n", ":0\r\n:2\r\n:1\r\n")
		ask(t, waiters[2], "PING\r\n", bulks("first", "c")+"+PONG\r\n")
	})
}

func TestBlocking_TheRestOfAPipelineWaitsToo(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		blocked(t, s, nc, "SET x 1\r\nBLPOP k 0\r\nINCR x\r\nGET x")
		ask(t, nc, "", "+OK\r\n")
		other := dial()
		ask(t, other, "GET x\r\nLPUSH k v\r\n", "$1\r\n1\r\n:1\r\n")
		ask(t, nc, "", bulks("k", "v")+":2\r\n$1\r\n2\r\n")
	})
}

func TestBlocking_TimeoutsFollowTheServersClock(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		list, move, stream := dial(), dial(), dial()
		blocked(t, s, list, "BLPOP k 1000.5")
		blocked(t, s, move, "BLMOVE k d LEFT RIGHT 2000")
		blocked(t, s, stream, "XREAD BLOCK 3000000 STREAMS x $")
		s.Advance(900 * time.Second)
		require.Equal(t, 3, blockedClients(s))
		s.Advance(100*time.Second + 500*time.Millisecond)
		ask(t, list, "PING\r\n", "*-1\r\n+PONG\r\n")
		s.Advance(2000 * time.Second)
		ask(t, move, "", "*-1\r\n")
		ask(t, stream, "", "*-1\r\n")
		ask(t, dial(), "RPUSH k v\r\nLLEN k\r\n", ":1\r\n:1\r\n")
	})
}

func TestBlocking_DisconnectedClientIsNotServed(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		blocked(t, s, nc, "BLPOP k 0")
		require.NoError(t, nc.Close())
		eventually(t, "nobody waits", func() bool { return blockedClients(s) == 0 })
		ask(t, dial(), "RPUSH k keep\r\nLRANGE k 0 -1\r\n", ":1\r\n"+bulks("keep"))
	})
}

// Before Redis 7.2 a call is served from the key that was pushed to first, since then from the first of its own keys.
func TestBlocking_WokenByExecAndScripts(t *testing.T) {
	testWokenByExecAndScripts(t, "7.0", bulks("two", "b"), "LPOP one", "$1\r\na\r\n")
	testWokenByExecAndScripts(t, "7.2", bulks("one", "a"), "LPOP two", "$1\r\nb\r\n")
}

func testWokenByExecAndScripts(t *testing.T, server, served, pop, left string) {
	s := StartT(t, Options{Emulate: server})
	for _, wake := range []string{
		"MULTI\r\nRPUSH two b\r\nRPUSH one a\r\nDEL nothing\r\nEXEC\r\n",
		`EVAL "redis.call('RPUSH','two','b') return redis.call('RPUSH','one','a')" 0` + "\r\n",
		`EVAL "redis.call('RPUSH',KEYS[1],'b') return redis.call('RPUSH',KEYS[2],'a')" 2 two one` + "\r\n",
	} {
		waiter, producer := dial(t, s), dial(t, s)
		blocked(t, s, waiter, "BLPOP one two 0")
		_, err := producer.Write([]byte(wake))
		require.NoError(t, err)
		ask(t, waiter, "", served)
		ask(t, waiter, pop+"\r\n", left)
	}
}

func TestBlocking_Moves(t *testing.T) {
	s := StartT(t)
	a, b, c := dial(t, s), dial(t, s), dial(t, s)
	blocked(t, s, a, "BLMOVE one two LEFT LEFT 0")
	blocked(t, s, b, "BRPOPLPUSH two three 0")
	blocked(t, s, c, "BLPOP three 0")
	ask(t, dial(t, s), "RPUSH one v\r\nEXISTS one two three\r\n", ":1\r\n:0\r\n")
	ask(t, a, "", "$1\r\nv\r\n")
	ask(t, b, "", "$1\r\nv\r\n")
	ask(t, c, "", bulks("three", "v"))
}

func TestBlocking_OtherCommands(t *testing.T) {
	s := StartT(t)
	waiter, other := dial(t, s), dial(t, s)
	for _, c := range []struct{ wait, wake, replies, got string }{
		{"BLMPOP 0 2 k1 k2 RIGHT COUNT 2", "RPUSH k2 a b c", ":3\r\n", "*2\r\n$2\r\nk2\r\n" + bulks("c", "b")},
		{"BZPOPMIN z 0", "ZADD z 2 b 1 a", ":2\r\n", bulks("z", "a", "1")},
		{"BZPOPMAX y y2 0", "ZADD y 5 m", ":1\r\n", bulks("y", "m", "5")},
		{"BZMPOP 0 1 zz MIN", "ZADD zz 1 a", ":1\r\n", "*2\r\n$2\r\nzz\r\n*1\r\n" + bulks("a", "1")},
		{"XREAD BLOCK 0 STREAMS xs $", "XADD xs 5-1 f v", "$3\r\n5-1\r\n",
			"*1\r\n*2\r\n$2\r\nxs\r\n*1\r\n*2\r\n$3\r\n5-1\r\n" + bulks("f", "v")},
		{"BLPOP renamed 0", "RPUSH r x\r\nRENAME r renamed", ":1\r\n+OK\r\n", bulks("renamed", "x")},
		{"BLPOP copied 0", "RPUSH r x\r\nCOPY r copied", ":1\r\n:1\r\n", bulks("copied", "x")},
		{"BLPOP typed 0", "SET typed s\r\nDEL typed\r\nRPUSH typed l", "+OK\r\n:1\r\n:1\r\n", bulks("typed", "l")},
		{"BLPOP sw 0", "SELECT 1\r\nRPUSH sw x\r\nSWAPDB 0 1\r\nSELECT 0", "+OK\r\n:1\r\n+OK\r\n+OK\r\n", bulks("sw", "x")},
	} {
		blocked(t, s, waiter, c.wait)
		ask(t, other, c.wake+"\r\n", c.replies)
		ask(t, waiter, "", c.got)
	}
}

func TestBlocking_ClientUnblock(t *testing.T) {
	s := StartT(t)
	waiter, other := dial(t, s), dial(t, s)
	_, err := waiter.Write([]byte("CLIENT ID\r\n"))
	require.NoError(t, err)
	id := strings.TrimPrefix(readLine(t, waiter), ":")
	ask(t, other, "CLIENT UNBLOCK "+id+"\r\n", ":0\r\n")
	blocked(t, s, waiter, "BLMPOP 30 1 ul LEFT")
	ask(t, other, "CLIENT UNBLOCK "+id+" ERROR\r\nCLIENT UNBLOCK "+id+"\r\n", ":1\r\n:0\r\n")
	ask(t, waiter, "PING\r\n", "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n+PONG\r\n")
	blocked(t, s, waiter, "BLPOP ul 0")
	ask(t, other, "CLIENT UNBLOCK "+id+"\r\n", ":1\r\n")
	ask(t, waiter, "PING\r\n", "*-1\r\n+PONG\r\n")
}

func TestBlocking_NeverWithinTransactionsAndScripts(t *testing.T) {
	nc := dial(t, StartT(t))
	ask(t, nc, "MULTI\r\nBLPOP k 0\r\nBLMOVE k d LEFT LEFT 0\r\nEXEC\r\n",
		"+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n*-1\r\n$-1\r\n")
	const evalRead = `EVAL "return redis.pcall('XREAD','BLOCK','0','STREAMS','x','0')" 0` + "\r\n"
	ask(t, nc, evalRead, "$-1\r\n")
	old, err := Start(t.Context(), Options{Emulate: "7.0"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = old.Close() })
	ask(t, dial(t, old), evalRead, "-ERR XREAD command is not allowed with BLOCK option from scripts\r\n")
}

// Every pushed element is popped exactly once by concurrent clients.
func TestBlocking_EachElementIsPoppedOnce(t *testing.T) {
	s := StartT(t)
	const workers, each = 6, 200
	got := make(chan string, workers*each)
	for range workers {
		c := connect(t, s)
		go func() {
			for {
				pair, err := c.do("BLPOP", "q1", "q2", "q3", 0)
				if err != nil {
					return
				}
				got <- elements(pair)[1]
			}
		}()
	}
	for w := range workers {
		c := connect(t, s)
		go func() {
			for i := range each {
				_, _ = c.do("RPUSH", fmt.Sprint("q", 1+i%3), w*each+i)
			}
		}()
	}
	seen := make(map[string]bool)
	for range workers * each {
		select {
		case v := <-got:
			require.False(t, seen[v], "%s came twice", v)
			seen[v] = true
		case <-time.After(testTimeout):
			t.Fatalf("%d of %d came", len(seen), workers*each)
		}
	}
}
