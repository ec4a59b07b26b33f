package compat

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// A test compares minilockd with the server that it stands for: with redis-server 7.0, which Debian has, or with
// another one if COMPAT_SERVER names it (7.0, 8.0, 8.2, valkey-8.1, valkey-9.1). servers/get.sh brings these others.

// emulated is the server that startTarget's minilockd stands for.
var emulated = cmp.Or(os.Getenv("COMPAT_SERVER"), installed)

// installed is the server that is installed as redis-server, not brought by servers/get.sh.
const installed = "7.0"

// realServers are the servers that can be run here: of the others only the documentation is known.
var realServers = []string{installed, "8.0", "8.2", "valkey-8.1", "valkey-9.1"}

// programs are the functions that find the programs of the servers, or bring them, once in a test process.
var programs sync.Map

// programOf returns the program of a server, or an error that says why it is missing.
func programOf(server string) (string, error) {
	find, _ := programs.LoadOrStore(server, sync.OnceValues(func() (string, error) {
		if server == installed {
			return findInstalled()
		}
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		get := exec.Command("servers/get.sh", server, filepath.Join(cache, "minilockd-servers"))
		var stderr strings.Builder
		get.Stderr = &stderr
		program, err := get.Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w: %s", get, err, stderr.String())
		}
		return strings.TrimSpace(string(program)), nil
	}))
	return find.(func() (string, error))()
}

// findInstalled returns redis-server, if it is of the right version.
func findInstalled() (string, error) {
	out, err := exec.Command("redis-server", "--version").Output()
	if err == nil && !strings.Contains(string(out), " v="+installed+".") {
		err = fmt.Errorf("redis-server is not %s.x: %s", installed, out)
	}
	return "redis-server", err
}

// startRedis starts redis-server as startMinilockd does minilockd.
func startRedis(t testing.TB, args ...string) string {
	t.Helper()
	return testenv.StartRedis(t, append([]string{"--enable-debug-command", "yes"}, args...)...)
}

// startReal starts a real server. If it is missing, the test is skipped; in CI it fails.
func startReal(t testing.TB, server string, args ...string) string {
	t.Helper()
	program, err := programOf(server)
	if err != nil {
		testenv.Missing(t, "no %s to compare with: %v", server, err)
	}
	addr, _ := testenv.StartServer(t, program, append([]string{"--enable-debug-command", "yes"}, args...)...)
	return addr
}

// haveReference reports whether the server is there that minilockd is compared with.
func haveReference() bool {
	_, err := programOf(emulated)
	return err == nil
}

// requireReference skips the test if that server is missing; in CI it fails.
func requireReference(t testing.TB) {
	t.Helper()
	if _, err := programOf(emulated); err != nil {
		testenv.Missing(t, "no %s to compare with: %v", emulated, err)
	}
}

// startReference starts the server that minilockd is compared with.
func startReference(t testing.TB) string {
	t.Helper()
	return startReal(t, emulated)
}

// comparesRedisWithItself reports whether a second real server takes minilockd's place (COMPAT_TARGET=redis). Then
// every difference is an error of the tests.
func comparesRedisWithItself() bool { return os.Getenv("COMPAT_TARGET") == "redis" }

// startTarget starts the server under test, which stands for the reference.
func startTarget(t testing.TB, args ...string) string {
	t.Helper()
	return startTargetOf(t, emulated, args...)
}

// startTargetOf starts the server under test, which stands for the given one.
func startTargetOf(t testing.TB, server string, args ...string) string {
	t.Helper()
	if comparesRedisWithItself() {
		return startReal(t, server, args...)
	}
	return startMinilockd(t, append([]string{"--emulate", server}, args...)...)
}

func TestRealServers(t *testing.T) {
	for _, server := range realServers {
		t.Run(server, func(t *testing.T) {
			c := dial(t, startReal(t, server))
			emulated := emulate.Named(server)
			v := c.do(t, "HELLO")
			require.Equal(t, emulated.Product(), v.elems[1].text)
			require.Equal(t, emulated.Version, v.elems[3].text)
		})
	}
}
