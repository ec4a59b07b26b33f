package bench

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/load"
)

const (
	reference = "redis-server" // what the ratios are to
	portFile  = "BENCH_PORT_FILE"
	startTime = 10 * time.Second
)

// A server is a running process that speaks RESP.
type server struct {
	name string
	addr string
	pid  int
}

// A launcher starts one kind of server; its second result is false where that kind isn't installed.
type launcher struct {
	name  string
	start func(b *testing.B) (server, bool)
}

var launchers = []launcher{
	{reference, startRedis},
	{"miniredis", startMiniredis},
	{"minilockd", startMinilockd},
}

// startServers starts those that BENCH_SERVERS names, by default all.
func startServers(b *testing.B) []server {
	var running []server
	wanted := os.Getenv("BENCH_SERVERS")
	for _, l := range launchers {
		if wanted != "" && !strings.Contains(","+wanted+",", ","+l.name+",") {
			continue
		}
		if s, ok := l.start(b); ok {
			running = append(running, s)
		}
	}
	require.NotEmpty(b, running, "no server to measure (BENCH_SERVERS=%q)", wanted)
	return running
}

func startRedis(b *testing.B) (server, bool) {
	path, err := exec.LookPath(reference)
	if err != nil {
		b.Logf("%s is not installed: no ratios", reference)
		return server{}, false
	}
	port := freePort(b)
	cmd := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", b.TempDir())
	return launch(b, reference, cmd, func() (string, error) { return port, nil }), true
}

// freePort asks the system for a port. Another process may take it before the server does, which then fails to start.
func freePort(b *testing.B) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// startMiniredis starts this binary again: see TestMain.
func startMiniredis(b *testing.B) (server, bool) {
	binary, err := os.Executable()
	require.NoError(b, err)
	file := filepath.Join(b.TempDir(), "port")
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), role+"="+roleMiniredis, portFile+"="+file)
	return launch(b, "miniredis", cmd, portIn(file)), true
}

// serveMiniredis is the whole process of the rival: it ends when it is killed.
func serveMiniredis() error {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		return err
	}
	if err := os.WriteFile(os.Getenv(portFile), []byte(m.Port()), 0o600); err != nil {
		return err
	}
	select {}
}

// startMinilockd builds the command with the versions of its own module, which are those that users get.
func startMinilockd(b *testing.B) (server, bool) {
	binary, file := filepath.Join(b.TempDir(), "minilockd"), filepath.Join(b.TempDir(), "port")
	build := exec.Command("go", "build", "-o", binary, "./cmd/minilockd")
	build.Dir = ".."
	output, err := build.CombinedOutput()
	require.NoError(b, err, "minilockd does not build (BENCH_SERVERS=redis-server,miniredis leaves it out):\n%s", output)
	return launch(b, "minilockd", exec.Command(binary, "--addr", "127.0.0.1:0", "--port-file", file), portIn(file)), true
}

// portIn reads the port that a server wrote to a file once it listened.
func portIn(file string) func() (string, error) {
	return func() (string, error) {
		text, err := os.ReadFile(file)
		if err == nil && len(text) == 0 {
			err = errors.New("empty port file")
		}
		return strings.TrimSpace(string(text)), err
	}
}

// launch starts the process, waits until it answers PING and ends it with the benchmark.
func launch(b *testing.B, name string, cmd *exec.Cmd, port func() (string, error)) server {
	output, err := os.Create(filepath.Join(b.TempDir(), "output"))
	require.NoError(b, err)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = output, output, dieWithParent()
	require.NoError(b, cmd.Start(), name)
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // tells that it was killed
		_ = output.Close()
	})
	addr, err := await(port)
	if err != nil {
		said, _ := os.ReadFile(output.Name())
		b.Fatalf("%s does not start: %v\n%s", name, err, said)
	}
	return server{name: name, addr: addr, pid: cmd.Process.Pid}
}

// await tries to PING until the server answers or startTime is over.
func await(port func() (string, error)) (addr string, err error) {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		number, portErr := port()
		if err = portErr; err != nil {
			continue
		}
		addr = net.JoinHostPort("127.0.0.1", number)
		if err = load.Do(addr, []string{"PING"}); err == nil {
			return addr, nil
		}
	}
	return "", fmt.Errorf("no answer within %v: %w", startTime, err)
}
