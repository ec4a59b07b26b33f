// Package target starts the servers that are compared, each a process of its own, and ends them.
package target

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/internal/testenv"
)

// Reference is the server that ratios are to.
const Reference = "redis-server"

// Server is one that runs, or that the generator is to run in its own process.
type Server struct {
	Name  string
	Place load.Place
}

// Running is the servers of a run, in the order of kinds, and their processes.
type Running struct {
	Servers []Server
	dir     string // for sockets, port files, output and the binary
	running []*exec.Cmd
}

// kinds are the servers in the order in which they take their turns. Two that share a process, as one over TCP and one
// over a Unix domain socket, are started by one function, which returns a place for each name.
var kinds = []struct {
	names []string
	start func(f *Running) ([]load.Place, error)
}{
	{[]string{Reference, Reference + "/unix"}, startRedis},
	{[]string{"miniredis"}, startMiniredis},
	{[]string{"minilockd", "minilockd/unix"}, startMinilockd},
	// these two are for tests within one process, which need no network; redis-server has no counterpart
	{[]string{"minilockd/memory"}, inside(load.Memory)},
	{[]string{"minilockd/direct"}, inside(load.Direct)},
}

// Names lists all servers.
func Names() (all []string) {
	for _, k := range kinds {
		all = append(all, k.names...)
	}
	return all
}

// errMissing is a server that isn't installed.
var errMissing = errors.New("not installed")

// Start starts the servers with these names, each process once. It logs those that are not installed and leaves them
// out; any other error ends all that it has started.
func Start(names []string, log io.Writer) (*Running, error) {
	dir, err := os.MkdirTemp("", "minilockd-bench-")
	if err != nil {
		return nil, err
	}
	f := &Running{dir: dir}
	for _, k := range kinds {
		if !slices.ContainsFunc(k.names, func(name string) bool { return slices.Contains(names, name) }) {
			continue
		}
		places, err := k.start(f)
		switch {
		case errors.Is(err, errMissing):
			fmt.Fprintf(log, "%s is not installed and left out\n", k.names[0])
			continue
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("%s: %w", k.names[0], err)
		}
		for i, name := range k.names {
			if slices.Contains(names, name) {
				f.Servers = append(f.Servers, Server{Name: name, Place: places[i]})
			}
		}
	}
	return f, nil
}

// Close kills all servers and removes their files. They have nothing to save.
func (f *Running) Close() {
	for _, cmd := range f.running {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // tells that it was killed
	}
	_ = os.RemoveAll(f.dir)
}

// inside is a server that the generator starts: here there is nothing to start.
func inside(network string) func(*Running) ([]load.Place, error) {
	return func(*Running) ([]load.Place, error) { return []load.Place{{Network: network}}, nil }
}

// startRedis starts redis-server as the tests do (testenv.StartRedis), without persistence, but with a Unix domain
// socket, and as a process of which the CPU time is read.
func startRedis(f *Running) ([]load.Place, error) {
	path, err := exec.LookPath(Reference)
	if err != nil {
		return nil, errMissing
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(f.dir, "redis-socket")
	cmd := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--unixsocket", socket, "--save", "", "--appendonly",
		"no",
		"--dir", f.dir)
	tcp, err := f.launch(cmd, func() (string, error) { return port, nil })
	return []load.Place{tcp, {Network: load.Unix, Addr: socket, PID: tcp.PID}}, err
}

// freePort returns a free port for redis-server, which cannot choose one itself. If another process takes it first, the
// server fails to start.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// startMinilockd builds the command with the versions of its own module, which are those that users get.
func startMinilockd(f *Running) ([]load.Place, error) {
	binary, file, socket := filepath.Join(f.dir, "minilockd"), filepath.Join(f.dir, "port"), filepath.Join(f.dir, "socket")
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-o", binary, "./cmd/minilockd")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("does not build: %w\n%s", err, output)
	}
	tcp, err := f.launch(exec.Command(binary, "--addr", "127.0.0.1:0", "--unixsocket", socket, "--port-file", file),
		portIn(file))
	return []load.Place{tcp, {Network: load.Unix, Addr: socket, PID: tcp.PID}}, err
}

// moduleRoot is the directory of minilockd, from the replace directive of this module: the checkout that is compared.
func moduleRoot() (string, error) {
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/minilockd/minilockd").Output()
	if err != nil {
		return "", fmt.Errorf("bench runs within its own folder only: %w", err)
	}
	return strings.TrimSpace(string(output)), nil
}

// A server that chooses its own port writes it to a file, which appears once it listens.

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

// launch starts the process and waits until it replies to PING. What it prints goes to a file, which is part of the
// error if it does not start. It is killed by Close, or by the system if this program ends first (only on Linux).
func (f *Running) launch(cmd *exec.Cmd, port func() (string, error)) (load.Place, error) {
	output, err := os.Create(filepath.Join(f.dir, filepath.Base(cmd.Path)+".output"))
	if err != nil {
		return load.Place{}, err
	}
	defer output.Close()
	cmd.Stdout, cmd.Stderr = output, output
	if err := testenv.EndWithParent(cmd).Start(); err != nil {
		return load.Place{}, err
	}
	f.running = append(f.running, cmd)
	place := load.Place{Network: load.TCP, PID: cmd.Process.Pid}
	if place.Addr, err = await(port); err != nil {
		said, _ := os.ReadFile(output.Name())
		return place, fmt.Errorf("does not start: %w\n%s", err, said)
	}
	return place, nil
}

// startTime is enough for a server of which the binary is built: building is not part of it.
const startTime = 10 * time.Second

// await calls port, which may fail until the server has written its file, and sends PING, until the server replies or
// startTime is over. It returns the last error.
func await(port func() (string, error)) (addr string, err error) {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		number, portErr := port()
		if err = portErr; err != nil {
			continue
		}
		addr = net.JoinHostPort("127.0.0.1", number)
		if err = load.Do(load.Place{Network: load.TCP, Addr: addr}, []string{"PING"}); err == nil {
			return addr, nil
		}
	}
	return "", fmt.Errorf("no answer within %v: %w", startTime, err)
}
