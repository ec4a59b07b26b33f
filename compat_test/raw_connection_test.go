package compat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// packed returns a command in RESP.
func packed(args ...string) []byte {
	var c rawClient
	c.queue(args...)
	return c.out
}

// connect opens a connection with a deadline. The caller closes it.
func connect(t testing.TB, address string) *net.TCPConn {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	require.NoError(t, err)
	require.NoError(t, nc.SetDeadline(time.Now().Add(testenv.StartTimeout)))
	return nc.(*net.TCPConn)
}

// readUntilClose sends bytes, closes its side, and returns all bytes until the server has closed the connection. So it
// works in all modes: with CLIENT REPLY OFF, subscribed, blocked, monitoring.
func readUntilClose(t testing.TB, nc *net.TCPConn, raw []byte) string {
	t.Helper()
	defer nc.Close()
	if _, err := nc.Write(raw); err == nil {
		_ = nc.CloseWrite() // if the server has closed already, the read shows it
	}
	var got bytes.Buffer
	switch _, err := io.Copy(&got, nc); {
	case errors.Is(err, syscall.ECONNRESET):
		got.WriteString("(reset)")
	case err != nil:
		got.WriteString("(" + err.Error() + ")")
	}
	return got.String()
}

// builtinModule matches the list of modules of HELLO and MODULE LIST on servers that have one built in: vector sets of
// Redis 8, Lua of Valkey 9.
var builtinModule = regexp.MustCompile(`\*1\r\n[%*]\d+\r\n\$4\r\nname\r\n\$\d+\r\n(vectorset|lua)\r\n` +
	`\$3\r\nver\r\n:1\r\n\$4\r\npath\r\n\$\d\r\n(lua)?\r\n\$4\r\nargs\r\n\*0\r\n`)

// withoutBuiltinModule returns a reply as if the server had no such module.
func withoutBuiltinModule(v reply) reply {
	if !builtinModule.Match(v.raw) {
		return v
	}
	raw := builtinModule.ReplaceAllLiteral(v.raw, []byte("*0\r\n"))
	r := replyReader{in: bufio.NewReader(bytes.NewReader(raw))}
	v = r.value()
	v.raw = raw
	return v
}

// perRun matches what differs in each run in raw replies: IDs, times and addresses.
var perRun = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(\$2\r\nid\r\n):\d+`), "$1:id"},
	{regexp.MustCompile(`\+\d{10}\.\d{6} \[(\d+) (lua|127\.0\.0\.1):?\d*\]`), "+time [$1 $2]"},
	{builtinModule, "*0\r\n"},
	{regexp.MustCompile(`(\$7\r\nversion\r\n)\$\d+\r\n[0-9.]+`), "${1}version"},
}

// maskPerRun replaces what differs in each run.
func maskPerRun(raw string) string {
	for _, own := range perRun {
		raw = own.pattern.ReplaceAllString(raw, own.instead)
	}
	return raw
}

// readable formats raw replies on one line.
func readable(raw string) string { return strings.ReplaceAll(strconv.Quote(raw), `\r\n`, " ") }
