package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Missing ends a test that needs something that is not installed: it skips the test on a developer's machine and fails
// it in CI, where everything must be there.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// RequirePrograms calls Missing unless all programs are in PATH.
func RequirePrograms(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			Missing(t, "%s is not installed", name)
		}
	}
}

// Run runs a command to its end and returns what it printed. The test fails if the command does.
func Run(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	output, err := EndWithParent(cmd).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, output)
	}
	return string(output)
}

// Download runs a command that downloads something. If it fails, the test has no network, and Missing is called.
func Download(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if output, err := EndWithParent(cmd).CombinedOutput(); err != nil {
		Missing(t, "%s: %v\n%s", cmd, err, output)
	}
}

// Start starts a command in the background and kills it at the end of the test. The returned Buffer holds what it
// prints to outputs that the caller has not set; the test logs it if it fails.
func Start(t testing.TB, cmd *exec.Cmd) *Buffer {
	t.Helper()
	output := &Buffer{}
	if cmd.Stdout == nil {
		cmd.Stdout = output
	}
	if cmd.Stderr == nil {
		cmd.Stderr = output
	}
	if err := EndWithParent(cmd).Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // after it the output is complete; that the command was killed is no error
		if t.Failed() {
			t.Logf("%s printed:\n%s", filepath.Base(cmd.Path), output)
		}
	})
	return output
}
