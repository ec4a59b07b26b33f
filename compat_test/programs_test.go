package compat

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// All programs that the tests start are started here, or by the functions of internal/testenv that these call:
// redis-server, minilockd, Maven and Java, npm and Node, Python.

// buildDir is where this test process puts the minilockd that it builds. go test does not know that a result depends on
// the binary: without -count=1 it may show that of an older server.
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

// buildOnce builds minilockd once in a test process, and returns the path of the binary.
var buildOnce = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(buildDir, "minilockd")
	output, err := exec.Command("go", "build", "-o", binary, "../cmd/minilockd").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build ../cmd/minilockd: %w\n%s", err, output)
	}
	return binary, err
})

// minilockdBinary returns the path of a minilockd built from this checkout.
func minilockdBinary(t testing.TB) string {
	t.Helper()
	binary, err := buildOnce()
	require.NoError(t, err)
	return binary
}

// startMinilockd starts minilockd on a free port, with further arguments, and returns its address, host:port. It ends
// with the test.
func startMinilockd(t testing.TB, args ...string) string {
	t.Helper()
	portFile := filepath.Join(t.TempDir(), "port")
	testenv.Start(t, exec.Command(minilockdBinary(t), append([]string{"--addr", "127.0.0.1:0", "--port-file", portFile},
		args...)...))
	var port string
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(portFile)
		port = strings.TrimSpace(string(text))
		return err == nil && port != ""
	}, testenv.StartTimeout, 2*time.Millisecond, "minilockd wrote no port file")
	return testenv.AwaitServer(t, "127.0.0.1:"+port)
}

// mavenCommand returns a command that runs Maven in a directory and writes what it builds below target, so that several
// runs in one checkout do not disturb each other. It ends shortly before the time limit of go test, so that the servers
// which the test has started end, too.
func mavenCommand(t testing.TB, dir, target string, args ...string) *exec.Cmd {
	t.Helper()
	testenv.RequirePrograms(t, "java", "mvn")
	ctx := t.Context()
	if deadline, ok := t.(*testing.T).Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		t.Cleanup(cancel)
	}
	mvn := exec.CommandContext(ctx, "mvn", append([]string{"-B", "-q", "-Dtarget=" + target}, args...)...)
	mvn.Dir = dir
	mvn.WaitDelay = 5 * time.Second // a process that Maven has started may outlive it and keep its output open
	return mvn
}

// javaCommand returns a command that runs the main method of a class.
func javaCommand(classPath, class string) *exec.Cmd {
	return exec.Command("java", "-cp", classPath, class)
}

// compileJava compiles files to classes in a directory.
func compileJava(t testing.TB, classPath, dir string, files ...string) {
	t.Helper()
	testenv.RequirePrograms(t, "javac")
	testenv.Run(t, exec.Command("javac", append([]string{"-proc:none", "-cp", classPath, "-d", dir}, files...)...))
}

// npmPack downloads a package from npm and returns the path of the archive.
func npmPack(t testing.TB, name, version string) string {
	t.Helper()
	testenv.RequirePrograms(t, "npm")
	dir := t.TempDir()
	testenv.Download(t, exec.Command("npm", "pack", "--silent", "--pack-destination", dir, name+"@"+version))
	return filepath.Join(dir, name+"-"+version+".tgz")
}

// npmInstall installs packages from npm and returns the directory that they are in.
func npmInstall(t testing.TB, packages ...string) string {
	t.Helper()
	testenv.RequirePrograms(t, "node", "npm")
	dir := t.TempDir()
	testenv.Download(t, exec.Command("npm",
		append([]string{"install", "--silent", "--ignore-scripts", "--no-save", "--prefix", dir}, packages...)...))
	return filepath.Join(dir, "node_modules")
}

// nodeCommand returns a command that runs a script in its directory, with packages that npmInstall has installed.
func nodeCommand(modules, script string, args ...string) *exec.Cmd {
	node := exec.Command("node", append([]string{filepath.Base(script)}, args...)...)
	node.Dir = filepath.Dir(script)
	node.Env = append(os.Environ(), "NODE_PATH="+modules)
	return node
}

// pythonWith returns the path of a Python that has some packages from PyPI.
func pythonWith(t testing.TB, packages ...string) string {
	t.Helper()
	testenv.RequirePrograms(t, "python3")
	venv := filepath.Join(t.TempDir(), "venv")
	testenv.Download(t, exec.Command("python3", "-m", "venv", venv))
	testenv.Download(t, exec.Command(filepath.Join(venv, "bin", "pip"), append([]string{"install", "--quiet"},
		packages...)...))
	return filepath.Join(venv, "bin", "python")
}

// stdout runs a command and returns its standard output. The test fails if the command does.
func stdout(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := testenv.EndWithParent(cmd).Output()
	require.NoError(t, err, "%s: %s%s", cmd, out, stderr.String())
	return string(out)
}
