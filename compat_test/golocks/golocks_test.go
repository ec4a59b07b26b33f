// Package golocks runs the test suites of other Go lock clients, as their modules come, against minilockd.
package golocks

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	// The modules whose suites are run: naming them here keeps them, and what their tests need, in go.mod.
	_ "github.com/bsm/redislock"
	_ "github.com/go-redsync/redsync/v4"
	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/server"
)

// redislock's tests expect a server on the standard port.
func TestRedislock(t *testing.T) {
	srv, err := server.Start(context.Background(), server.Options{Addr: "127.0.0.1:6379"})
	if errors.Is(err, syscall.EADDRINUSE) {
		missing(t, "port 6379, where redislock's tests look for a server, is taken")
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = srv.Close() })
	suite(t, "github.com/bsm/redislock", nil, "./...")
}

// redsync's tests start the redis-server that is first in PATH, 49 times. Left out are its examples and the adapter for
// valkey-go, whose further module is not everywhere to be had.
func TestRedsync(t *testing.T) {
	for port := 51200; port < 51248; port++ { // they want these, and panic if one is taken
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			missing(t, "redsync's tests need the ports 51200 to 51247: %v", err)
		}
		require.NoError(t, l.Close())
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./redis-server")
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	suite(t, "github.com/go-redsync/redsync/v4", []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")},
		".", "./redis", "./redis/goredis/...", "./redis/redigo", "./redis/rueidis")
}

// suite runs the tests of a module's packages in a copy of it, for its own go.mod and go.sum to count.
func suite(t *testing.T, module string, env []string, packages ...string) {
	t.Helper()
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module)
	dir, err := list.Output()
	require.NoError(t, err)
	own := filepath.Join(t.TempDir(), "module")
	require.NoError(t, os.CopyFS(own, os.DirFS(strings.TrimSpace(string(dir)))))
	test := exec.Command("go", append([]string{"test", "-mod=mod", "-count=1", "-v"}, packages...)...)
	test.Dir, test.Env = own, append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), env...)
	output, err := test.CombinedOutput()
	require.NoError(t, err, string(output))
	passed := strings.Count(string(output), "--- PASS: ")
	require.Positive(t, passed)
	require.NotContains(t, string(output), "--- SKIP: ")
	t.Logf("%s: %d tests passed", module, passed)
}

// missing skips a test that lacks something of its surroundings, but fails it in CI.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
