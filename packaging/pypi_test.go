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
	project := pythonProject(t)
	python := pythonWithWheel(t, dist(t, "pypi"), project)
	t.Run("tests", func(t *testing.T) {
		t.Log(testenv.Run(t, in(project, nil, python, "-m", "pytest", "-q", "-p", "no:xdist", "tests", "package_tests")))
	})
	t.Run("tests with xdist", func(t *testing.T) {
		t.Log(testenv.Run(t, in(project, nil, python, "-m", "pytest", "-q", "-n", "2", "tests")))
	})
	t.Run("linters", func(t *testing.T) {
		testenv.Run(t, in("pypi", nil, python, "-m", "ruff", "check", "--no-cache", ".", "../projects/python"))
		testenv.Run(t, in("pypi", nil, python, "-m", "ruff", "format", "--no-cache", "--check", ".", "../projects/python"))
		testenv.Run(t, in("pypi", nil, python, "-m", "mypy", "--cache-dir", t.TempDir()))
	})
}

// pythonProject returns a folder with a copy of the project, of the package's tests and of the documentation, whose
// examples the project runs.
func pythonProject(t *testing.T) string {
	t.Helper()
	project := copied(t, "projects/python")
	copyFiles(t, "pypi/tests", filepath.Join(project, "package_tests"))
	page, err := os.ReadFile("../docs/python.md")
	require.NoError(t, err)
	writeFile(t, filepath.Join(project, "python.md"), page)
	return project
}

// pythonWithWheel returns a Python in which minilockd is installed from the wheels alone, and what the project needs
// besides from the registry.
func pythonWithWheel(t *testing.T, wheels, project string) string {
	t.Helper()
	venv := filepath.Join(project, "venv")
	testenv.Run(t, exec.Command("python3", "-m", "venv", venv))
	python := filepath.Join(venv, "bin", "python")
	install := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"}
	testenv.Run(t, exec.Command(python, append(install, "--no-index", "--find-links", wheels, "minilockd")...))
	testenv.Download(t, exec.Command(python, append(install,
		"-r", "projects/python/requirements.txt", "-r", "pypi/requirements-lint.txt")...))
	return python
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
