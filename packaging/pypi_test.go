package packaging_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// maxWheel is the largest size of a wheel in bytes.
const maxWheel = 6 << 20

// TestPyPI installs the wheel in a project outside of the repository, and runs the project's tests there, those of the
// package itself, and the linters.
func TestPyPI(t *testing.T) {
	testenv.RequirePrograms(t, "python3")
	wheels := dist(t, "pypi")
	project := t.TempDir()
	for to, from := range map[string]string{"tests": "projects/python/tests", "package_tests": "pypi/tests"} {
		require.NoError(t, os.CopyFS(filepath.Join(project, to), os.DirFS(from)))
	}
	for to, from := range map[string]string{"pyproject.toml": "projects/python/pyproject.toml", "python.md": "../docs/python.md"} {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(project, to), text, 0o644))
	}
	python := filepath.Join(project, "venv", "bin", "python")
	testenv.Run(t, exec.Command("python3", "-m", "venv", filepath.Join(project, "venv")))
	install := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"}
	testenv.Run(t, exec.Command(python, append(install, "--no-index", "--find-links", wheels, "minilockd")...))
	testenv.Download(t, exec.Command(python, append(install,
		"-r", "projects/python/requirements.txt", "-r", "pypi/requirements-lint.txt")...))

	for name, args := range map[string][]string{
		"tests":            {"-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests", "package_tests"},
		"tests with xdist": {"-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "tests"},
	} {
		t.Run(name, func(t *testing.T) { t.Log(runPython(t, project, python, args...)) })
	}
	t.Run("linters", func(t *testing.T) {
		runPython(t, "pypi", python, "-m", "ruff", "check", "--no-cache", ".", "../projects/python")
		runPython(t, "pypi", python, "-m", "ruff", "format", "--no-cache", "--check", ".", "../projects/python")
		runPython(t, "pypi", python, "-m", "mypy", "--cache-dir", t.TempDir())
	})
}

// runPython runs Python in a folder. The binary is that of the package.
func runPython(t *testing.T, dir, python string, args ...string) string {
	t.Helper()
	cmd := exec.Command(python, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MINILOCKD_BINARY=")
	return testenv.Run(t, cmd)
}

// TestPyPI_Wheels looks at those that this machine does not run.
func TestPyPI_Wheels(t *testing.T) {
	testenv.RequirePrograms(t, "python3")
	wheels, err := filepath.Glob(filepath.Join(dist(t, "pypi"), "*.whl"))
	require.NoError(t, err)
	require.Equal(t, 5, len(wheels))
	for _, name := range wheels {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.True(t, info.Size() <= maxWheel, "%s has %d bytes", name, info.Size())
		require.Equal(t, []string{"minilockd/bin/minilockd"}, executables(t, name))
	}
}

// executables returns the names of the files of a wheel that are executable, without the extension of Windows.
func executables(t *testing.T, wheel string) (names []string) {
	t.Helper()
	archive, err := zip.OpenReader(wheel)
	require.NoError(t, err)
	defer archive.Close()
	for _, file := range archive.File {
		if file.Mode()&0o111 != 0 {
			names = append(names, strings.TrimSuffix(file.Name, ".exe"))
		}
	}
	return names
}
