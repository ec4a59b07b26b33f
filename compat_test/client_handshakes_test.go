package compat

import (
	"os"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The commands that client libraries and tools send when they connect get the same bytes as from the real servers. Each
// line of the file is a connection; a | separates its commands.
func TestClientHandshakes(t *testing.T) {
	handshakes, err := os.ReadFile("testdata/handshakes/clients.txt")
	require.NoError(t, err)
	d := newDifferences(t, "handshakes")
	defer d.end()
	for _, server := range realServers {
		compareHandshakes(t, d, server, string(handshakes))
	}
}

func compareHandshakes(t *testing.T, d *differences, server, handshakes string) {
	ref, target := startReal(t, server), startTargetOf(t, server)
	for line := range strings.SplitSeq(strings.TrimSpace(handshakes), "\n") {
		name, handshake, _ := strings.Cut(line, ": ")
		refClient, targetClient := dial(t, ref), dial(t, target)
		for command := range strings.SplitSeq(handshake, "|") {
			args, _, err := splitArgs(command)
			require.NoError(t, err, command)
			want, got := refClient.do(t, args...), targetClient.do(t, args...)
			d.compare(server+", "+name+": "+command, readable(maskPerRun(string(want.raw))),
				readable(maskPerRun(string(got.raw))))
		}
	}
}
