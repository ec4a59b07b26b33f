// Package packaging_test installs the packages of dist/ in new projects, as a user does, and runs the tests of these.
package packaging_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// outDir is where this test process puts the packages.
var outDir string

func TestMain(m *testing.M) {
	var err error
	if outDir, err = os.MkdirTemp("", "minilockd-dist-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(outDir)
	os.Exit(code)
}

// program builds packaging/build once in a test process.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(outDir, "build")
	return path, execute("go", "build", "-o", path, "./build")
})

// execute runs a program. Its output is in the error.
func execute(name string, args ...string) error {
	output, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, output)
	}
	return nil
}

// made has what dist has made, by ecosystem.
var made sync.Map

// dist makes the packages of an ecosystem, archives, npm, pypi or maven, once in a test process, and returns the folder
// that they are in.
func dist(t testing.TB, ecosystem string) string {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	out := filepath.Join(outDir, "dist")
	args := []string{"-bin", filepath.Join(outDir, "bin"), "-out", out, ecosystem}
	if ecosystem == "maven" {
		args = append([]string{"-version", mavenVersion(t)}, args...)
	}
	once, _ := made.LoadOrStore(ecosystem, sync.OnceValue(func() error { return execute(path, args...) }))
	require.NoError(t, once.(func() error)())
	return filepath.Join(out, ecosystem)
}

// version returns that of the packages, which the names of the archives have.
func version(t testing.TB) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dist(t, "archives"), "*_linux_amd64.tar.gz"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return strings.Split(filepath.Base(found[0]), "_")[1]
}

// mavenVersion is the version of the packages for Maven, which no other test process has.
func mavenVersion(t testing.TB) string { return fmt.Sprintf("%s-test%d", version(t), os.Getpid()) }

// binary returns the path of the binary for this machine.
func binary(t testing.TB) string {
	t.Helper()
	dist(t, "archives")
	return filepath.Join(outDir, "bin", runtime.GOOS+"-"+runtime.GOARCH, "minilockd")
}
