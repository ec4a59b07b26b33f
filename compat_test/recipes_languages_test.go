package compat

import (
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/server"
)

// lapseRounds is how often a program takes a lock whose lease has lapsed.
const lapseRounds = 50

// The reply of CLOCK.ADVANCE comes after its effects: in every language a lock whose lease has lapsed is free at once
// for another client.
func TestRecipes_LapseInEachLanguage(t *testing.T) {
	t.Run("Java", func(t *testing.T) {
		path := classPath(t, clientVersions[0])
		testLapse(t, func(address, rounds string) *exec.Cmd {
			java := javaCommand(path, "io.minilockd.compat.interop.Lapse")
			java.Args = append(java.Args, address, rounds)
			return java
		})
	})
	t.Run("Node", func(t *testing.T) {
		modules := npmInstall(t, "ioredis@6.0.0")
		testLapse(t, func(address, rounds string) *exec.Cmd {
			return nodeCommand(modules, "recipes/lapse.js", port(t, address), rounds)
		})
	})
	t.Run("Python", func(t *testing.T) {
		python := pythonWith(t, "redis==8.1.0")
		testLapse(t, func(address, rounds string) *exec.Cmd {
			return exec.Command(python, "-B", "recipes/lapse.py", port(t, address), rounds)
		})
	})
}

func port(t *testing.T, address string) string {
	_, p, err := net.SplitHostPort(address)
	require.NoError(t, err)
	return p
}

// testLapse runs a program, which prints for each round whether it got the lock, and after how many milliseconds.
func testLapse(t *testing.T, program func(address, rounds string) *exec.Cmd) {
	out := stdout(t, program(server.StartT(t).Addr(), fmt.Sprint(lapseRounds)))
	var times []float64
	for line := range strings.Lines(out) {
		var free bool
		var millis float64
		_, err := fmt.Sscan(line, &free, &millis)
		require.NoError(t, err, line)
		require.True(t, free, "round %d", len(times))
		times = append(times, millis)
	}
	require.Len(t, times, lapseRounds)
	slices.Sort(times)
	median := times[lapseRounds/2]
	t.Logf("from CLOCK.ADVANCE until another client has the lock: median %.2f ms, at most %.2f ms", median,
		times[lapseRounds-1])
	if testenv.Long() {
		require.Less(t, median, 20.0)
	}
}
