package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/packaging/internal/gitfiles"
)

// copyFiles copies the files of a folder, without what a tool has left there.
func copyFiles(t testing.TB, from, to string) {
	t.Helper()
	names, err := gitfiles.List(from)
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		writeFile(t, filepath.Join(to, name), text)
	}
}

// copied returns a copy of a folder, outside of the checkout.
func copied(t testing.TB, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	copyFiles(t, from, to)
	return to
}

// writeExample writes the first block of a language in a page of docs to a file.
func writeExample(t testing.TB, page, language, file string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../docs", page))
	require.NoError(t, err)
	_, rest, begins := strings.Cut(string(text), "```"+language+"\n")
	code, _, ends := strings.Cut(rest, "```")
	require.True(t, begins && ends, "%s has no example in %s", page, language)
	writeFile(t, file, []byte(code))
}

func writeFile(t testing.TB, name string, text []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, text, 0o644))
}

// in returns a command that runs in a folder, with variables added to the environment. The binary that it starts is
// that of its package, whatever a developer has set.
func in(dir string, variables []string, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "MINILOCKD_BINARY="), variables...)
	return cmd
}
