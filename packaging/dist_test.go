// Package packaging_test installs the packages of dist/ in new projects, as a user does, and runs the tests of these.
package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
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
	output, err := exec.Command("go", "build", "-o", path, "./build").CombinedOutput()
	if err != nil {
		return "", &buildError{output, err}
	}
	return path, nil
})

// buildError is what the go command printed.
type buildError struct {
	output []byte
	err    error
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + string(e.output) }

// dist makes the packages of an ecosystem, npm, pypi or maven, and returns the folder that they are in.
func dist(t testing.TB, ecosystem string) string {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	out := filepath.Join(outDir, "dist")
	testenv.Run(t, exec.Command(path, "-out", out, ecosystem))
	return filepath.Join(out, ecosystem)
}
