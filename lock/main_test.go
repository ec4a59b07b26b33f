package lock_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/minilockd/minilockd/internal/testenv"
)

// TestMain fails if the tests leave a goroutine of a lock client or of a server.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := testenv.NoGoroutines(testTimeout, "minilockd/lock", "minilockd/server"); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
