package exporter

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/server"
)

// referenceVersion is the Redis that minilockd behaves as.
const referenceVersion = " v=7.0.15 "

// target is a server and the connection that has found it ready. There is no other connection until a test opens one,
// since the metrics count them.
type target struct {
	addr string
	conn redis.Conn
}

// bothServers starts redis-server and minilockd.
func bothServers(t *testing.T) (reference, ours target) {
	t.Helper()
	return startRedis(t), connect(t, server.StartT(t).Addr())
}

// startRedis starts redis-server. Where it is not installed the test is skipped; in CI, where it must be, the test
// fails.
func startRedis(t *testing.T) target {
	t.Helper()
	version, err := exec.Command("redis-server", "--version").Output()
	if err != nil || !strings.Contains(string(version), referenceVersion) {
		missing(t, "no redis-server%shere to compare with: %v %s", referenceVersion, err, version)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := listener.Addr().String()
	require.NoError(t, listener.Close())
	_, port, _ := net.SplitHostPort(addr)

	var printed testenv.Buffer
	process := testenv.EndWithParent(exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "",
		"--dir", t.TempDir()))
	process.Stdout, process.Stderr = &printed, &printed
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
		if t.Failed() {
			t.Logf("redis-server printed:\n%s", printed.String())
		}
	})
	return connect(t, addr)
}

func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// connect waits until the server takes connections.
func connect(t *testing.T, addr string) target {
	t.Helper()
	var conn redis.Conn
	require.Eventually(t, func() (ready bool) {
		var err error
		conn, err = redis.Dial("tcp", addr)
		return err == nil
	}, 30*time.Second, 5*time.Millisecond, "no answer from %s", addr)
	t.Cleanup(func() { _ = conn.Close() })
	return target{addr, conn}
}

// dial opens one more connection.
func (s target) dial(t *testing.T) redis.Conn {
	t.Helper()
	conn, err := redis.Dial("tcp", s.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
