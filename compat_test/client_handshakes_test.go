package compat

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What clients are answered when they connect, and what tools are told, is what Redis told, byte by byte. Each line of the
// file is a connection of its own, its commands separated by bars.
func TestClients_AreGreetedAsByRedis(t *testing.T) {
	handshakes, err := os.ReadFile("testdata/talks/clients.txt")
	require.NoError(t, err)
	ref, target := startReference(t), startTarget(t)
	d := newDifferences(t, "clients")
	defer d.end()
	for line := range strings.SplitSeq(strings.TrimSpace(string(handshakes)), "\n") {
		name, handshake, _ := strings.Cut(line, ": ")
		theirs, own := dial(t, ref), dial(t, target)
		for command := range strings.SplitSeq(handshake, "|") {
			args, _, err := splitArgs(command)
			require.NoError(t, err, command)
			want, got := theirs.do(t, args...), own.do(t, args...)
			d.compare(name+": "+command, readable(maskPerRun(string(want.raw))), readable(maskPerRun(string(got.raw))))
		}
	}
}
