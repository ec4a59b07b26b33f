package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

func TestSnapshot_Restore(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		ask(t, nc, "CLIENT SETNAME worker\r\nSET lock me PX 30000\r\n", "+OK\r\n+OK\r\n")
		s.Clock().Freeze()
		s.Faults().Add(fault.Rule{Command: "get", Key: "never", Action: fault.Hang()})
		snapshot, dump := s.Snapshot(), s.Dump()
		for range 3 {
			s.Advance(time.Hour)
			ask(t, nc, "EXISTS lock\r\nSET other v\r\n", ":0\r\n+OK\r\n")
			s.Faults().Clear()
			s.Restore(snapshot)
			require.Equal(t, dump, s.Dump())
			require.Len(t, s.Faults().List(), 1)
		}
		other := StartT(t)
		other.Restore(snapshot)
		require.Equal(t, dump, other.Dump())
		require.Equal(t, s.Clock().Now().UnixNano(), other.Clock().Now().UnixNano())

		s.Reset()
		require.Empty(t, s.Dump())
		require.Empty(t, s.Faults().List())
		ask(t, nc, "CLIENT GETNAME\r\n", "$6\r\nworker\r\n")
		require.Equal(t, dump, other.Dump())
	})
}

func TestRestore_TooFewDatabases(t *testing.T) {
	s, small := StartT(t), StartT(t, Options{Databases: 2})
	require.NoError(t, s.Seed(strings.NewReader("SELECT 2\nSET k v\n")))
	require.Panics(t, func() { small.Restore(s.Snapshot()) })
}

func TestRestore_ServesABlockedClient(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		require.NoError(t, s.Seed(strings.NewReader("RPUSH q x")))
		snapshot := s.Snapshot()
		s.Reset()
		blocked(t, s, nc, "BLPOP q 0")
		s.Reset()
		s.Restore(snapshot)
		ask(t, nc, "", "*2\r\n$1\r\nq\r\n$1\r\nx\r\n")
	})
}

func TestReset_OptionsHold(t *testing.T) {
	s := StartT(t, Options{Password: "secret", Config: "maxmemory 5mb\nuser bob on nopass +ping"})
	nc := dial(t, s)
	ask(t, nc, "AUTH secret\r\nCONFIG SET requirepass x maxmemory 1mb\r\nACL SETUSER carol\r\nACL DELUSER bob\r\n",
		"+OK\r\n+OK\r\n+OK\r\n:1\r\n")
	s.Reset()
	ask(t, nc, "AUTH secret\r\nACL USERS\r\nCONFIG GET maxmemory\r\n",
		"+OK\r\n*2\r\n$3\r\nbob\r\n$7\r\ndefault\r\n*2\r\n$9\r\nmaxmemory\r\n$7\r\n5242880\r\n")
}

func TestCloseClients(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		idle, waits, operator := dial(), dial(), dial()
		ask(t, idle, "PING\r\n", "+PONG\r\n")
		blocked(t, s, waits, "BLPOP q 0")
		ask(t, operator, "TEST.RESET CLIENTS\r\n", "+OK\r\n")
		for _, nc := range []net.Conn{idle, waits} {
			_, err := nc.Read(make([]byte, 1))
			require.Error(t, err)
		}
		s.CloseClients()
		_, err := operator.Read(make([]byte, 1))
		require.Error(t, err)
	})
}

func TestSeed_Lines(t *testing.T) {
	s := StartT(t, Options{Password: "secret"})
	require.NoError(t, s.Seed(strings.NewReader(`
# a comment
CLOCK.FREEZE
CLOCK.SET 1800000000000
SET 'a key' "line\n\x00" PX 1000
  HSET h f v
SELECT 1
MULTI
SADD s b a
EXEC
EVAL "return redis.call('SET', KEYS[1], ARGV[1])" 1 scripted "yes"
`)))
	require.Equal(t, `# database 0

"a key" string expires 1800000001000
  "line\n\x00"

"h" hash
  "f" "v"

# database 1

"s" set
  "a"
  "b"

"scripted" string
  "yes"
`, s.Dump())
	for text, want := range map[string]string{
		"SET k v\n\nINCR k": "minilockd: line 3: ERR value is not an integer or out of range",
		"\n\n# x\nNOSUCH a": "minilockd: line 4: ERR unknown command 'NOSUCH', with args beginning " +
			"with: 'a' ",
		"MULTI\nINCR h": "minilockd: ERR MULTI without EXEC",
		"SET 'k v":      "minilockd: line 1: ERR unbalanced quotes",
		"CLIENT REPLY OFF\nINCR h": "minilockd: line 2: WRONGTYPE Operation against a key holding the wrong kind " +
			"of value",
		"BLPOP q 0":                         "minilockd: line 1: ERR the command waits, and nothing else happens meanwhile",
		"SET k v\nMULTI\nINCR k\nGET\nEXEC": "minilockd: line 4: ERR wrong number of arguments for 'get' command",
		"SET k v\nMULTI\nINCR k\nEXEC":      "minilockd: line 4: ERR value is not an integer or out of range",
		"CLOCK.ADVANCE -1": "minilockd: line 1: ERR CLOCK.ADVANCE only moves the clock forward; CLOCK.SET can set it " +
			"back",
	} {
		require.EqualError(t, s.Seed(strings.NewReader(text)), want)
	}
}

// A server is filled before it accepts connections, or does not start.
func TestStart_Seed(t *testing.T) {
	s := StartT(t, Options{Seed: []io.Reader{strings.NewReader("SET a 1"), strings.NewReader("INCR a")}})
	ask(t, dial(t, s), "GET a\r\n", "$1\r\n2\r\n")
	file, err := os.Create(t.TempDir() + "/seed.txt")
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteString("SET a 1 EX 100\nSET a\n")
	require.NoError(t, err)
	_, err = file.Seek(0, 0)
	require.NoError(t, err)
	_, err = Start(context.Background(), Options{Seed: []io.Reader{file}})
	require.EqualError(t, err, "minilockd: "+file.Name()+": line 2: ERR wrong number of arguments for 'set' command")
}

// Servers that were closed leave nothing: no goroutine, no descriptor, and no memory.
func TestStartT_ManyLeaveNothing(t *testing.T) {
	run := func(n int) {
		for range n {
			s, err := Start(t.Context(), Options{})
			require.NoError(t, err)
			nc, err := net.Dial("tcp", s.Addr())
			require.NoError(t, err)
			ask(t, nc, "SET k v EX 100\r\nTEST.SNAPSHOT s\r\nTEST.RESTORE s\r\n", "+OK\r\n+OK\r\n+OK\r\n")
			nc.Close()
			require.NoError(t, s.Close())
		}
	}
	run(50)
	heap, descriptors := liveHeap(), openDescriptors()
	run(1000)
	require.NoError(t, testenv.NoGoroutines(testTimeout, "server", "command", "store"))
	require.LessOrEqual(t, openDescriptors(), descriptors)
	const perServer = 1 << 10 // far less than a server takes
	require.Less(t, liveHeap(), heap+1000*perServer, fmt.Sprint("from ", heap))
}

// liveHeap is the size of what is in use on the heap, in bytes.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // frees what finalizers and pools have held
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// openDescriptors is the number of open files and sockets, where the system shows it.
func openDescriptors() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// Clients that read and write while the state changes, and while the clock moves, see all of a change or nothing.
func TestRestore_IsAtomic(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		at := time.Now().Add(time.Hour).UnixMilli() // the same for both, whenever the commands run
		require.NoError(t, s.Seed(strings.NewReader(fmt.Sprintf("MSET a 0 b 0\nPEXPIREAT a %d\nPEXPIREAT b %d", at, at))))
		snapshot := s.Snapshot()
		var clients sync.WaitGroup
		done := make(chan struct{})
		errs := make(chan error, 4)
		for i := range cap(errs) {
			nc := dial()
			clients.Go(func() { errs <- readsEqual(nc, i, done) })
		}
		clients.Go(func() {
			for range 100 {
				s.Advance(10 * time.Minute)
			}
		})
		for i := range 100 {
			s.Restore(snapshot)
			if i%10 == 0 {
				s.Reset()
				snapshot = s.Snapshot()
				s.Restore(snapshot)
			}
		}
		close(done)
		clients.Wait()
		for range cap(errs) {
			require.NoError(t, <-errs)
		}
		require.NoError(t, s.control().Check())
	})
}

// readsEqual writes the same value to two keys of different shards, or reads both, until done is closed. It returns an
// error if they differ.
func readsEqual(nc net.Conn, number int, done chan struct{}) error {
	for i := 0; ; i++ {
		select {
		case <-done:
			return nil
		default:
		}
		if number%2 == 0 {
			if line, err := askLine(nc, fmt.Sprintf("MSET a %d b %d\r\n", i, i)); line != "+OK\r\n" {
				return fmt.Errorf("MSET: %q, %w", line, err)
			}
			continue
		}
		const script = "local v = redis.call('MGET', 'a', 'b') " +
			"return v[1] == v[2] and redis.call('PTTL', 'a') == redis.call('PTTL', 'b')"
		line, err := askLine(nc, fmt.Sprintf("EVAL \"%s\" 2 a b\r\n", script))
		if line != ":1\r\n" {
			return fmt.Errorf("they differ: %q, %w", line, err)
		}
	}
}
