package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// faultsFile writes a file for --faults.
func faultsFile(t *testing.T, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "rules.txt")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// An error in the file names the file and the line, whether the line cannot be parsed or names no command.
func TestRun_BadFaults(t *testing.T) {
	for text, want := range map[string]string{
		"# a comment\nTO FLY\n":                          ": line 2: ERR unknown condition 'TO'; see minilockd --help\n",
		"THEN CLOSE\n\nCOMMAND gett THEN CLOSE":          ": line 3: ERR unknown command 'gett'; see minilockd --help\n",
		"CHANNEL \"a THEN DROP":                          ": line 1: ERR unbalanced quotes in the rule",
		"\n\n\nCOMMAND @reed THEN ERROR 'ERR 1 2' # not": ": line 4: ERR unexpected '#' after the fault",
	} {
		name := faultsFile(t, text)
		var stderr bytes.Buffer
		require.Equal(t, 2, run([]string{"--addr", "127.0.0.1:0", "--faults", name}, noInput(), io.Discard, &stderr), text)
		require.Contains(t, stderr.String(), "minilockd: --faults "+name+want)
	}
}

// The rules are there before the first client.
func TestServe_Faults(t *testing.T) {
	set, err := parse([]string{"--addr", "127.0.0.1:0", "--faults",
		faultsFile(t, "# how a test begins\nCOMMAND ping TIMES 1 THEN ERROR 'ERR no ping'\n")}, noInput())
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stdout, printed := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- serve(ctx, set, quiet, nil, printed) }()
	output := bufio.NewReader(stdout)
	line, err := output.ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, output) }()
	nc, err := net.Dial("tcp", strings.TrimSpace(strings.TrimPrefix(line, "minilockd listens on ")))
	require.NoError(t, err)
	defer nc.Close()
	_, err = nc.Write([]byte("PING\r\nPING\r\n"))
	require.NoError(t, err)
	replies := make([]byte, len("-ERR no ping\r\n+PONG\r\n"))
	_, err = io.ReadFull(nc, replies)
	require.NoError(t, err)
	require.Equal(t, "-ERR no ping\r\n+PONG\r\n", string(replies))
	stop()
	require.NoError(t, <-served)
}
