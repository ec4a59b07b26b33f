package compat

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// startDeadline bounds how long a server may take until it answers.
const startDeadline = 2 * time.Minute

// buildDir is where this test process puts the binary that it builds. The binary is no input that go test knows of: without
// -count=1 it may repeat the result of an older server.
var buildDir string

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "minilockd-compat-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(buildDir)
	os.Exit(code)
}

// buildServer builds minilockd once per test process and returns the path of the binary, or the compiler's words as error.
var buildServer = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(buildDir, "minilockd")
	build := exec.Command("go", "build", "-o", binary, "./cmd/minilockd")
	build.Dir = ".."
	output, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build ./cmd/minilockd: %w\n%s", err, output)
	}
	return binary, err
})

// startServer starts minilockd with further arguments on a free port and returns its address, host:port. The server ends with
// the test; what it printed is shown if the test failed.
func startServer(t testing.TB, args ...string) string {
	t.Helper()
	binary, err := buildServer()
	require.NoError(t, err)
	portFile := filepath.Join(t.TempDir(), "port")
	run(t, binary, append([]string{"--addr", "127.0.0.1:0", "--port-file", portFile}, args...)...)
	var port string
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(portFile)
		port = strings.TrimSpace(string(text))
		return err == nil && port != ""
	}, startDeadline, 2*time.Millisecond, "minilockd wrote no port file")
	return awaitPong(t, "127.0.0.1:"+port)
}

// startRedis starts redis-server with further arguments on a free port and returns its address, host:port. It ends as with
// startServer. Where redis-server is not installed the test is skipped, in CI it fails.
func startRedis(t testing.TB, args ...string) string {
	t.Helper()
	requireTools(t, "redis-server")
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	run(t, "redis-server", append([]string{"--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", t.TempDir(),
		"--enable-debug-command", "yes"}, args...)...)
	return awaitPong(t, address)
}

// requireTools skips the test if a program is not installed; in CI, where all must be, it fails.
func requireTools(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			missing(t, "%s is not installed", name)
		}
	}
}

// run starts a process that is killed at the end of the test.
func run(t testing.TB, name string, args ...string) {
	t.Helper()
	var output testenv.Buffer
	process := testenv.EndWithParent(exec.Command(name, args...))
	process.Stdout, process.Stderr = &output, &output
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait() // the kill is no news; output is complete from here on
		if t.Failed() {
			t.Logf("%s printed:\n%s", filepath.Base(name), output.String())
		}
	})
}

func freeAddress(t testing.TB) string {
	t.Helper()
	eventRecorder, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer eventRecorder.Close()
	return eventRecorder.Addr().String()
}

// awaitPong waits until the server answers at all: one with a password answers PING with an error, which will do.
func awaitPong(t testing.TB, address string) string {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return false
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		if _, err := conn.Write([]byte("PING\r\n")); err != nil {
			return false
		}
		_, err = io.ReadFull(conn, make([]byte, 1))
		return err == nil
	}, startDeadline, 5*time.Millisecond, "no answer from %s", address)
	return address
}
