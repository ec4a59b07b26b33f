package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

var quiet = slog.New(slog.DiscardHandler)

// harnessVersion is how embedded-redis, redis-memory-server and pytest-redis read the first line of --version.
var harnessVersion = regexp.MustCompile(`^Redis server v=8\.2\.3 sha=[0-9a-f]+:0 malloc=\S+ bits=(32|64) ` +
	`build=[0-9a-f]+\n`)

func noInput() io.Reader { return strings.NewReader("") }

func TestRun_VersionAndHelp(t *testing.T) {
	for _, flag := range []string{"--version", "-v"} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, 0, run([]string{flag}, noInput(), &stdout, &stderr))
		require.Regexp(t, harnessVersion, stdout.String())
		require.Contains(t, stdout.String(), "\nminilockd ")
		require.Empty(t, stderr.String())
	}
	var stdout bytes.Buffer
	require.Equal(t, 0, run([]string{"--emulate", "valkey-9.1", "--version"}, noInput(), &stdout, io.Discard))
	require.Contains(t, stdout.String(), "Valkey server v=9.1.2 ")
	for _, flag := range []string{"--help", "-h"} {
		var stdout bytes.Buffer
		require.Equal(t, 0, run([]string{flag}, noInput(), &stdout, io.Discard))
		for _, name := range []string{"--addr", "--port ", "--unixsocket", "--port-file", "--requirepass", "--databases",
			"--load", "--ready-json", "--exit-with-stdin", "--log-level", "--lock-history ", "--http ",
			"--http-pprof", "--version",
			"--tls-addr", "--tls-out", "--tls-cert FILE", "--tls-key FILE", "--tls-ca FILE"} {
			require.Contains(t, stdout.String(), name)
		}
	}
}

// What can't be had ends the program with Redis' words and status 1, errors about minilockd's own options with 2.
func TestRun_BadArguments(t *testing.T) {
	for _, c := range []struct {
		args    []string
		status  int
		message string
	}{
		{[]string{"--nosuch"}, 1, "at line 2\n>>> 'nosuch'\nBad directive or wrong number of arguments\n"},
		{[]string{"--port", "7000", "--nosuch", "1"}, 1,
			"at line 3\n>>> 'nosuch \"1\"'\nBad directive or wrong number of arguments\n"},
		{[]string{"--databases", "0"}, 1, ">>> 'databases \"0\"'\nargument must be between 1 and 65536 inclusive\n"},
		{[]string{"--databases", "-1"}, 1, ">>> 'databases \"-1\"'\nargument must be between 1 and 65536 inclusive\n"},
		{[]string{"--port", "abc"}, 1, ">>> 'port \"abc\"'\nargument couldn't be parsed into an integer\n"},
		{[]string{"--appendonly", "yes"}, 1, "append only file\n"},
		{[]string{"--daemonize", "yes"}, 1, "background"},
		{[]string{"--port", "0"}, 1, "127.0.0.1:0 takes a free port"},
		{[]string{"--dir", "/no/such/folder"}, 1, ">>> 'dir \"/no/such/folder\"'\nno such file or directory\n"},
		{[]string{"--logfile", "/no/such/file"}, 1, "Can't open the log file: no such file or directory\n"},
		{[]string{"stray"}, 1, "stray': no such file or directory\n"},
		{[]string{"--log-level", "loud"}, 2, "--help"},
		{[]string{"--http-pprof"}, 2, "--http-pprof needs --http"},
		{[]string{"--port", "0", "--addr", "127.0.0.1:0", "--http", "0.0.0.0:0"}, 1, "set a password (requirepass)"},
		{[]string{"--addr", "127.0.0.1:0", "--http", "127.0.0.1:none"}, 1, "none"},
		{[]string{"--addr"}, 2, "--addr needs a value"},
		{[]string{"--emulate", "6.2"}, 2, "valkey-9.1: \"6.2\""},
		{[]string{"--emulate", ""}, 2, "valkey-9.1: \"\""},
		{[]string{"--version=1"}, 2, "--version takes no value"},
		{[]string{"--faults", "/no/such/file"}, 2, "--faults /no/such/file: no such file or directory"},
		{[]string{"--faults"}, 2, "--faults needs a value"},
		{[]string{"--lock-history", "0"}, 2, "--lock-history 0: a number from 1 to 10000000 is expected"},
		{[]string{"--addr", "127.0.0.1:0", "--tls-out", "x"}, 1, "--tls-out: the server does not speak TLS"},
		{[]string{"--addr", "127.0.0.1:0", "--tls-addr", "127.0.0.1:0", "--tls-cert", "/no such.crt", "--tls-key", "/no.key",
			"--tls-ca", "/no.crt"}, 1, "open /no such.crt: no such file or directory"},
		{[]string{"--exit-with-stdin", "-"}, 2, "both read the standard input"},
	} {
		var stderr bytes.Buffer
		require.Equal(t, c.status, run(c.args, noInput(), io.Discard, &stderr), "%q", c.args)
		require.Contains(t, stderr.String(), c.message, "%q", c.args)
	}
}

// The error names the server that a line of the file chooses, unless an option does.
func TestRun_BadLine_NamesTheServer(t *testing.T) {
	for _, c := range []struct{ option, title string }{{"", "Valkey 9.1.2"}, {"7.0", "Redis 7.0.15"}} {
		args := []string{"-"}
		if c.option != "" {
			args = append(args, "--emulate", c.option)
		}
		var stderr bytes.Buffer
		input := strings.NewReader("emulate valkey-9.1\nport x\n")
		require.Equal(t, 1, run(args, input, io.Discard, &stderr))
		require.Contains(t, stderr.String(), "CONFIG FILE ERROR ("+c.title+")")
	}
}

func TestRun_TakenPort_NamesItAndExits1(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	for _, args := range [][]string{{"--addr", taken.Addr().String()}, {"--port", port}} {
		var stderr bytes.Buffer
		require.Equal(t, 1, run(args, noInput(), io.Discard, &stderr))
		require.Contains(t, stderr.String(), taken.Addr().String())
		require.Contains(t, stderr.String(), "127.0.0.1:0")
	}
}

// File, standard input and options are one configuration, in which what comes later counts more.
func TestParse_FileThenInputThenOptions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "redis.conf")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more"), []byte("maxclients 5\n"), 0o600))
	require.NoError(t, os.WriteFile(file, []byte("port 7001\nloglevel debug\ninclude "+filepath.Join(dir, "more")+"\n"),
		0o600))
	set, err := parse([]string{file, "--port", "7003", "--pidfile", "p", "-"}, strings.NewReader("port 7002\n"))
	require.NoError(t, err)
	require.Equal(t, "port 7001\nloglevel debug\nmaxclients 5\n\nport 7002\n\nport \"7003\"\npidfile \"p\"", set.config)
	require.Equal(t, file, set.configFile)
	require.Equal(t, "p", set.process.pidFile)

	set, err = parse(nil, noInput())
	require.NoError(t, err)
	require.Equal(t, "\nport 6379", set.config)
}

// --log-level overrides loglevel in a file, and is a line like any other.
func TestParse_LogLevel(t *testing.T) {
	for level, want := range map[string]string{"debug": "debug", "info": "notice", "warn": "warning", "error": "warning"} {
		set, err := parse([]string{"-", "--log-level", level}, strings.NewReader("loglevel verbose\n"))
		require.NoError(t, err)
		require.Equal(t, "loglevel verbose\n\nloglevel "+want+"\nport 6379", set.config)
		require.Equal(t, level == "error", set.onlyErrors)
	}
}

// File names are relative to dir, except those of minilockd's own options.
func TestParse_Dir(t *testing.T) {
	before := t.TempDir()
	t.Chdir(before)
	dir := t.TempDir()
	set, err := parse([]string{"--port-file", "port", "--load", "b", "--load=a", "--dir", dir}, noInput())
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(before, "b"), filepath.Join(before, "a")}, set.load)
	require.Equal(t, filepath.Join(before, "port"), set.portFile)
	now, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, dir, now)
}

// A server on port 0 prints its address and that it is ready, writes the files, and removes them after SHUTDOWN.
func TestServe_FilesAndShutdown(t *testing.T) {
	portFile, pidFile := filepath.Join(t.TempDir(), "port"), filepath.Join(t.TempDir(), "pid")
	stdout, printed := io.Pipe()
	served := make(chan error, 1)
	go func() {
		set := settings{addr: "127.0.0.1:0", portFile: portFile, process: process{pidFile: pidFile}, config: "databases 2"}
		served <- serve(context.Background(), set, quiet, nil, printed)
	}()
	output := bufio.NewReader(stdout)
	line, err := output.ReadString('\n')
	require.NoError(t, err)
	addr := strings.TrimSpace(strings.TrimPrefix(line, "minilockd listens on "))
	line, err = output.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "Ready to accept connections\n", line)

	nc, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer nc.Close()
	replies := bufio.NewReader(nc)
	_, err = nc.Write([]byte("SELECT 1\r\n"))
	require.NoError(t, err)
	line, err = replies.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "+OK\r\n", line)
	port, err := os.ReadFile(portFile)
	require.NoError(t, err)
	require.Equal(t, addr, "127.0.0.1:"+strings.TrimSpace(string(port)))
	require.FileExists(t, pidFile)

	_, err = nc.Write([]byte("SHUTDOWN NOSAVE\r\n"))
	require.NoError(t, err)
	require.NoError(t, <-served)
	require.NoFileExists(t, portFile)
	require.NoFileExists(t, pidFile)
}

// With --http the page is served, and what happens to locks is kept.
func TestServe_Page(t *testing.T) {
	log, logged := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		set := settings{addr: "127.0.0.1:0", http: "127.0.0.1:0", pprof: true}
		served <- serve(ctx, set, slog.New(slog.NewTextHandler(logged, nil)), nil, io.Discard)
	}()
	var url string
	lines := bufio.NewScanner(log)
	for url == "" && lines.Scan() {
		_, url, _ = strings.Cut(lines.Text(), "url=")
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	for path, text := range map[string]string{
		"healthz": "ok", "api/state": `"history":true`, "metrics": "minilockd_commands_total", "debug/pprof/": "heap",
	} {
		response, err := http.Get(url + path)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Contains(t, string(body), text, path)
	}
	cancel()
	require.NoError(t, <-served)
}

func TestServe_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, serve(ctx, settings{addr: "127.0.0.1:0"}, quiet, nil, io.Discard))
}

func TestServe_PortFileWhereItCannotBe(t *testing.T) {
	empty := t.TempDir()
	for _, file := range []string{filepath.Join(t.TempDir(), "none", "port"), empty} {
		err := serve(context.Background(), settings{addr: "127.0.0.1:0", portFile: file}, quiet, nil, io.Discard)
		require.ErrorContains(t, err, "port file")
	}
	require.DirExists(t, empty)
}

// A server that cannot be filled does not start; the error names the file and the line.
func TestServe_Load(t *testing.T) {
	good, bad := filepath.Join(t.TempDir(), "good"), filepath.Join(t.TempDir(), "bad")
	require.NoError(t, os.WriteFile(good, []byte("SET n 1\n"), 0o600))
	require.NoError(t, os.WriteFile(bad, []byte("# the second file\nLPUSH n x\n"), 0o600))
	err := serve(t.Context(), settings{addr: "127.0.0.1:0", load: []string{good, bad}}, quiet, nil, io.Discard)
	require.EqualError(t, err, "minilockd: "+bad+": line 2: WRONGTYPE Operation against a key holding the wrong kind of "+
		"value")
	err = serve(t.Context(), settings{addr: "127.0.0.1:0", load: []string{bad + "2"}}, quiet, nil, io.Discard)
	require.ErrorContains(t, err, "minilockd: --load: open "+bad+"2")
}

// A signal ends a server also while it is filled by a script that never ends.
func TestServe_EndsWhileItLoads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "endless")
	script := `redis.log(redis.LOG_WARNING, 'runs') redis.call('SET', 'k', 1) while true do end`
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "EVAL %q 0\nSET n 1\n", script), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.NewTextHandler(writerFunc(func(line []byte) {
		if strings.Contains(string(line), "runs") {
			cancel()
		}
	}), nil))
	require.NoError(t, serve(ctx, settings{addr: "127.0.0.1:0", load: []string{file}}, log, nil, io.Discard))
}

// writerFunc is called with what is written.
type writerFunc func(line []byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

// A file that another process has written since is left.
func TestWriteNumber_RemovesOnlyItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "port")
	remove, err := writeNumber("port file", file, "7000")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte("7001\n"), 0o600))
	remove()
	require.FileExists(t, file)
}

// With --exit-with-stdin the server ends as soon as the input does; with --ready-json it prints one line.
func TestRun_ReadyJSONAndExitWithStdin(t *testing.T) {
	input, closeInput := io.Pipe()
	stdout, printed := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run([]string{"--addr", "127.0.0.1:0", "--ready-json", "--exit-with-stdin", "--log-level", "error"}, input,
			printed, io.Discard)
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Regexp(t, regexp.MustCompile(`^{"port":\d+,"addr":"127\.0\.0\.1:\d+","pid":\d+,"version":"[^"]+",`+
		`"emulate":"8\.2","redis_version":"8\.2\.3"}\n$`), line)
	require.NoError(t, closeInput.Close())
	require.Equal(t, 0, <-status)
}

func TestPrintReady_UnixSocket(t *testing.T) {
	var stdout bytes.Buffer
	require.NoError(t, printReady(settings{readyJSON: true}, ready{Addr: "/tmp/s"}, &stdout))
	require.Contains(t, stdout.String(), `{"port":0,"addr":"/tmp/s",`)
	require.NotContains(t, stdout.String(), "page")
	stdout.Reset()
	withPage := ready{Addr: "/tmp/s", Page: "http://127.0.0.1:8379/"}
	require.NoError(t, printReady(settings{readyJSON: true}, withPage, &stdout))
	require.Contains(t, stdout.String(), `,"page":"http://127.0.0.1:8379/"}`)
}
