package exporter

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/server"
)

// referenceVersion is the version of Redis that minilockd stands for.
const referenceVersion = " v=7.0.15 "

// target is a server and a connection to it. The metrics count connections, so there is no other until a test opens
// one.
type target struct {
	addr string
	conn redis.Conn
}

// bothServers starts redis-server and minilockd.
func bothServers(t *testing.T) (reference, own target) {
	t.Helper()
	return startRedis(t), connect(t, server.StartT(t, server.Options{Emulate: "7.0"}).Addr())
}

// startRedis starts redis-server.
func startRedis(t *testing.T) target {
	t.Helper()
	version, err := exec.Command("redis-server", "--version").Output()
	if err != nil || !strings.Contains(string(version), referenceVersion) {
		testenv.Missing(t, "no redis-server%sto compare with: %v %s", referenceVersion, err, version)
	}
	return connect(t, testenv.StartRedis(t))
}

// connect waits until the server accepts connections.
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

// dial opens another connection.
func (s target) dial(t *testing.T) redis.Conn {
	t.Helper()
	conn, err := redis.Dial("tcp", s.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
