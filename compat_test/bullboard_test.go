package compat

import (
	"net"
	"regexp"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// pagePackages are a web page about job queues, the queues, and their Redis client.
var pagePackages = []string{"@bull-board/express@9.10.1", "bullmq@" + bullMQVersion, "ioredis@6.0.0"}

// pageMask matches what depends on the machine or on time in the responses of the page: memory, ports, times in
// milliseconds.
var pageMask = regexp.MustCompile(`"(os|port|addr|age|uptime|used|fragmentationRatio|peak|connected)":` +
	`("[^"]*"|[0-9.]+)|"id":"\d+","name":"postman"|[0-9]{8,}`)

// bull-board shows the same of queues on both servers, and its buttons have the same effect.
func TestBullBoard(t *testing.T) {
	ref, target := startReference(t), startTarget(t)
	modules := npmInstall(t, pagePackages...)
	want, got := pageResponses(t, modules, ref), pageResponses(t, modules, target)
	require.Len(t, got, len(want))
	for i, line := range want {
		require.Equal(t, line, got[i])
	}
	require.Greater(t, len(want), 45)
	require.False(t, regexp.MustCompile(`(?m)^\w+ \S+ (400|5..) `).MatchString(strings.Join(want, "\n")))
	require.Contains(t, want[0], `GET /api/redis/stats 200 {"backend":"redis","version":"7.0.15","mode":"standalone"`)
}

// pageResponses returns the responses of the page, a line for each request.
func pageResponses(t *testing.T, modules, address string) []string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	answers := stdout(t, nodeCommand(modules, "bullboard/board.js", port))
	return strings.Split(strings.TrimSpace(pageMask.ReplaceAllString(answers, `"$1":?`)), "\n")
}
