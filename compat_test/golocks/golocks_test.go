// Package golocks runs the test suites of other Go lock clients against minilockd.
package golocks

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	// The modules whose suites are run: importing them keeps them, and the dependencies of their tests, in go.mod.
	_ "github.com/bsm/redislock"
	_ "github.com/go-redsync/redsync/v4"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// redislock's tests expect a server on the standard port.
func TestRedislock(t *testing.T) {
	const standard = "127.0.0.1:6379"
	suite{module: "github.com/bsm/redislock", from: standard, to: server.StartT(t).Addr()}.run(t)
}

// redsync's tests start the redis-server that is first in PATH, 49 times, and sleep for a minute: two halves of them
// run at the same time. The packages of its adapters have no tests, only examples.
func TestRedsync(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "redis-server"), "../../cmd/minilockd")
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	const each = 48
	first := freePorts(t, 2*each)
	for i, half := range []string{"-run", "-skip"} {
		t.Run(half+" TestValid", func(t *testing.T) {
			t.Parallel()
			suite{
				module: "github.com/go-redsync/redsync/v4",
				flags:  []string{half, "^TestValid$"},
				env:    []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")},
				from:   "51200", // the first of its ports
				to:     strconv.Itoa(first + i*each),
			}.run(t)
		})
	}
}

// freePorts returns the first of n consecutive free ports, below the ports of outgoing connections. They are free until
// the suite starts its servers, so runs in several processes begin to look at different ports.
func freePorts(t *testing.T, n int) int {
	t.Helper()
	const low, high = 20000, 32768
	blocks := (high - low) / n
	for i := range blocks {
		if first := low + (os.Getpid()+i)%blocks*n; allFree(first, n) {
			return first
		}
	}
	t.Fatalf("there are not %d free ports in a row", n)
	return 0
}

func allFree(first, n int) bool {
	for port := first; port < first+n; port++ {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return false
		}
		_ = l.Close()
	}
	return true
}

// suite is the tests of a module's package. They run in a copy, with the module's own go.mod and go.sum. They use fixed
// addresses, which may be taken: from is replaced by to.
type suite struct {
	module   string
	flags    []string
	env      []string
	from, to string
}

func (s suite) run(t *testing.T) {
	t.Helper()
	test := exec.Command("go", append([]string{"test", "-mod=mod", "-count=1", "-v"}, s.flags...)...)
	test.Dir, test.Env = s.copy(t), append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), s.env...)
	output, err := test.CombinedOutput()
	require.NoError(t, err, string(output))
	passed := strings.Count(string(output), "--- PASS: ")
	require.Positive(t, passed)
	require.NotContains(t, string(output), "--- SKIP: ")
	t.Logf("%s: %d tests passed", s.module, passed)
}

// copy copies the module, with the addresses in its tests replaced.
func (s suite) copy(t *testing.T) string {
	t.Helper()
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", s.module)
	dir, err := list.Output()
	require.NoError(t, err)
	own := filepath.Join(t.TempDir(), "module")
	require.NoError(t, os.CopyFS(own, os.DirFS(strings.TrimSpace(string(dir)))))
	files, err := filepath.Glob(filepath.Join(own, "*_test.go"))
	require.NoError(t, err)
	changed := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		changed += bytes.Count(text, []byte(s.from))
		require.NoError(t, os.WriteFile(file, bytes.ReplaceAll(text, []byte(s.from), []byte(s.to)), 0o600))
	}
	require.Positive(t, changed, "the tests do not name %s", s.from)
	return own
}
