package compat

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// bullBoardPackages are a dashboard of queues, the queues, and their client of Redis.
var bullBoardPackages = []string{"@bull-board/express@9.10.1", "bullmq@" + bullMQVersion, "ioredis@6.0.0"}

// boardChanges are parts of the board's answers that depend on the machine or on time: memory, ports, times in
// milliseconds.
var boardChanges = regexp.MustCompile(`"(os|port|addr|age|uptime|used|fragmentationRatio|peak|connected)":("[^"]*"|[0-9.]+)` +
	`|"id":"\d+","name":"postman"|[0-9]{8,}`)

// A bull-board shows the same of queues on both servers, and what is done by its buttons has the same effect.
func TestBullBoard(t *testing.T) {
	requireTools(t, "node", "npm")
	ref, target := startReference(t), startTarget(t)
	dir := t.TempDir()
	install := append([]string{"install", "--silent", "--ignore-scripts", "--no-save", "--prefix", dir}, bullBoardPackages...)
	fetch(t, exec.Command("npm", install...))
	want, got := bullBoard(t, dir, ref), bullBoard(t, dir, target)
	require.Len(t, got, len(want))
	for i, line := range want {
		require.Equal(t, line, got[i])
	}
	require.Greater(t, len(want), 45)
	require.NotRegexp(t, `(?m)^\w+ \S+ (400|5..) `, strings.Join(want, "\n"))
	require.Contains(t, want[0], `GET /api/redis/stats 200 {"backend":"redis","version":"7.0.15","mode":"standalone"`)
}

// bullBoard is what the board answers, a line for each question.
func bullBoard(t *testing.T, packages, address string) []string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	cmd := testenv.EndWithParent(exec.Command("node", "board.js", port))
	cmd.Dir = filepath.Join("harness", "bullboard")
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(packages, "node_modules"))
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, errors.String())
	return strings.Split(strings.TrimSpace(boardChanges.ReplaceAllString(string(out), `"$1":?`)), "\n")
}
