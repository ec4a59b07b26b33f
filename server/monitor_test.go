package server

import (
	"bufio"
	"net"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// lines reads n lines.
func lines(t *testing.T, nc net.Conn, n int) (got []string) {
	t.Helper()
	require.NoError(t, nc.SetReadDeadline(time.Now().Add(testTimeout)))
	in := bufio.NewReaderSize(nc, 1)
	for range n {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		got = append(got, line)
	}
	return got
}

func TestMonitor_ShowsWhatRuns(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		monitor, nc := dial(), dial()
		ask(t, monitor, "MONITOR\r\n", "+OK\r\n")
		ask(t, nc, "MULTI\r\nSET k \"a\\x00\\\"\\n\"\r\nEXEC\r\n", "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n")
		ask(t, nc,
			"SELECT 3\r\nCONFIG SET maxclients 9999\r\nEVAL \"return redis.call('get', KEYS[1])\" 1 k\r\nAUTH secret\r\n"+
				"NOSUCH\r\n",
			"+OK\r\n+OK\r\n$-1\r\n-ERR AUTH <password> called without any password configured for the default user. "+
				"Are you sure your configuration is correct?\r\n-ERR unknown command 'NOSUCH', with args beginning with: \r\n")
		want := []string{
			`0 \S+\] "MULTI"`, `0 \S+\] "SET" "k" "a\\x00\\"\\n"`, `0 \S+\] "EXEC"`, `3 \S+\] "SELECT" "3"`,
			`3 \S+\] "EVAL" "return redis.call\('get', KEYS\[1\]\)" "1" "k"`, `3 lua\] "get" "k"`, `3 \S+\] "AUTH" ` +
				`"\(redacted\)"`,
		}
		for i, line := range lines(t, monitor, len(want)) {
			require.Regexp(t, `^\+\d+\.\d{6} \[`+want[i]+`\r\n$`, line)
		}
	})
}

func TestMonitor_EndsWithReset(t *testing.T) {
	s := StartT(t)
	monitor, nc := dial(t, s), dial(t, s)
	ask(t, monitor, "MONITOR\r\nRESET\r\n", "+OK\r\n+RESET\r\n")
	ask(t, nc, "SET k v\r\nMULTI\r\nMONITOR\r\nEXEC\r\n",
		"+OK\r\n+OK\r\n+QUEUED\r\n*1\r\n-ERR MONITOR isn't allowed for DENY BLOCKING client\r\n")
	ask(t, monitor, "PING\r\n", "+PONG\r\n")
}

// What valkey-server 8.1.1 and the others show of quotes and backslashes.
func TestMonitor_QuotesOfServers(t *testing.T) {
	for emulated, want := range map[string]string{
		"valkey-8.1": `"ECHO" "a"b\c\n"`, "valkey-9.1": `"ECHO" "a\"b\\c\n"`, "8.2": `"ECHO" "a\"b\\c\n"`,
	} {
		s := StartT(t, Options{Emulate: emulated})
		monitor := dial(t, s)
		ask(t, monitor, "MONITOR\r\n", "+OK\r\n")
		ask(t, dial(t, s), "*2\r\n$4\r\nECHO\r\n$6\r\na\"b\\c\n\r\n", "$6\r\na\"b\\c\n\r\n")
		require.Contains(t, lines(t, monitor, 1)[0], want+"\r\n")
	}
}
