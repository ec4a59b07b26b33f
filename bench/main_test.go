package bench

import (
	"fmt"
	"os"
	"testing"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// The test binary runs itself again with role set to be one of its own processes.
const (
	role          = "BENCH_ROLE"
	roleLoad      = "load"
	roleMiniredis = "miniredis"
)

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case roleLoad:
		exit(load.Main(os.Stdin, os.Stdout))
	case roleMiniredis:
		exit(serveMiniredis())
	default:
		os.Exit(m.Run())
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
