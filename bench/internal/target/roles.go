package target

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/internal/testenv"
)

// The program runs itself again to be one of its own processes, in the role that this variable of the environment
// names. So there is one binary to build, and the generator has the code that the program was built with.
const (
	role          = "BENCH_ROLE"
	roleLoad      = "load"
	roleMiniredis = "miniredis"
	portFile      = "BENCH_PORT_FILE"
)

// A program that uses this package is started again in these roles, so its main must not do anything else then.

// RunRole must be called first by every program of this module: in a process that package target has started, it does
// its work and exits.
func RunRole() {
	var err error
	switch os.Getenv(role) {
	case roleLoad:
		err = load.Main(os.Stdin, os.Stdout)
	case roleMiniredis:
		err = serveMiniredis()
	default:
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// extraTime bounds a run that hangs: it is how much longer than planned a run may take, for example to fill a slow
// server.
const extraTime = time.Minute

// self is this program in a role. It is killed when ctx ends.
func self(ctx context.Context, as string, environment ...string) (*exec.Cmd, error) {
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(append(os.Environ(), role+"="+as), environment...)
	return testenv.EndWithParent(cmd), nil
}

// startMiniredis runs miniredis in a process of its own, although it is a library: its CPU time would otherwise be that
// of the program.
func startMiniredis(f *Running) ([]load.Place, error) {
	file := filepath.Join(f.dir, "miniredis-port")
	cmd, err := self(context.Background(), roleMiniredis, portFile+"="+file)
	if err != nil {
		return nil, err
	}
	place, err := f.launch(cmd, portIn(file))
	return []load.Place{place}, err
}

// serveMiniredis is the whole process of miniredis: it writes its port, then serves until it is killed.
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

// Generate runs the load in a process of its own, and returns what it printed as an error if it fails. Towards another
// process it keeps to one core and collects no garbage, as it makes none; where the server is inside, both use procs
// cores (0: all) and collect as minilockd does.
func Generate(spec load.Spec, procs int) (result load.Result, err error) {
	environment := []string{"GOGC=400"}
	switch {
	case !spec.Place.Inside() && !spec.GoClient:
		environment = []string{"GOMAXPROCS=1", "GOGC=off"}
	case procs > 0:
		environment = append(environment, "GOMAXPROCS="+strconv.Itoa(procs))
	}
	ctx, cancel := context.WithTimeout(context.Background(), spec.Warmup+spec.Window+extraTime)
	defer cancel()
	cmd, err := self(ctx, roleLoad, environment...)
	if err != nil {
		return result, err
	}
	input, err := json.Marshal(spec)
	if err != nil {
		return result, err
	}
	var complaint bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &complaint
	output, err := cmd.Output()
	if err != nil {
		return result, fmt.Errorf("%w: %s", err, strings.TrimSpace(complaint.String()))
	}
	return result, json.Unmarshal(output, &result)
}
