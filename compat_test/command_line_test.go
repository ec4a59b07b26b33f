package compat

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// program is a server with its command line.
type program struct{ name, path string }

// args returns the arguments of the program. minilockd is told to stand for redis-server: behind a first argument that
// must be the first, a file or "-".
func (p program) args(args []string) []string {
	if p.name != "minilockd" {
		return args
	}
	at := 0
	if len(args) > 0 && (args[0] == "-" || !strings.HasPrefix(args[0], "-")) {
		at = 1
	}
	return slices.Insert(slices.Clone(args), at, "--emulate", installed)
}

// bothPrograms are redis-server and minilockd.
func bothPrograms(t *testing.T) []program {
	t.Helper()
	requireReference(t)
	redisServer, err := exec.LookPath("redis-server")
	require.NoError(t, err)
	return []program{{"redis-server", redisServer}, {"minilockd", minilockdBinary(t)}}
}

// invalidCommandLines are invalid command lines, with the standard input.
var invalidCommandLines = []struct {
	args  []string
	input string
}{
	{args: []string{"--nosuch", "1"}},
	{args: []string{"--port"}},
	{args: []string{"--port", "abc"}},
	{args: []string{"--port", "70000"}},
	{args: []string{"--port", "7000", "extra"}},
	{args: []string{"--port", "7000", "--unknown-thing"}},
	{args: []string{"--maxmemory-policy", "foo"}},
	{args: []string{"--maxmemory", "much"}},
	{args: []string{"--appendonly", "maybe"}},
	{args: []string{"--save", "1", "2", "3"}},
	{args: []string{"--save", "60"}},
	{args: []string{"--save", "", "--cluster-enabled"}},
	{args: []string{"--unixsocketperm", "999"}},
	{args: []string{"--unixsocketperm", "x"}},
	{args: []string{"--shutdown-on-sigterm", "save", "nosave"}},
	{args: []string{"--shutdown-on-sigint", "save", "later"}},
	{args: []string{"--oom-score-adj-values", "1", "2"}},
	{args: []string{"--latency-tracking-info-percentiles", "50", "101"}},
	{args: []string{"--notify-keyspace-events", "K", "E"}},
	{args: []string{"--proc-title-template", "{title}", "x"}},
	{args: []string{"--replicaof", "localhost"}},
	{args: []string{"--slaveof", "localhost", "x"}},
	{args: []string{"--activedefrag", "yes"}},
	{args: []string{"--rename-command"}},
	{args: []string{"--include"}},
	{args: []string{"--requirepass", "--x", "--y"}},
	{args: []string{"--user"}},
	{args: []string{"--user", "a", "on", "foo"}},
	{args: []string{"-"}, input: "user a on\nuser b on\nuser a off\n"},
	{args: []string{"-x"}},
	{args: []string{"-"}, input: "port 7000\nfoo bar\n"},
	{args: []string{"-"}, input: "port 7000\nbind \"127.0.0.1\n"},
	{args: []string{"-", "--bar"}, input: "# one\n\nport 7000\n"},
	{args: []string{"--bind", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
		"17"}},
}

// Both programs reject the same command lines, with the same message and exit status.
func TestCommandLine_Errors(t *testing.T) {
	programs := bothPrograms(t)
	for _, c := range invalidCommandLines {
		var errors [2]string
		for i, p := range programs {
			errors[i] = p.startError(t, c.input, c.args...)
		}
		require.Equal(t, errors[0], errors[1], "%q", c.args)
	}
}

// Both programs check parameters that cannot be changed later.
func TestCommandLine_FixedParameters(t *testing.T) {
	programs := bothPrograms(t)
	for _, name := range []string{"always-show-logo", "appenddirname", "appendfilename", "cluster-enabled",
		"cluster-port", "daemonize",
		"dbfilename", "disable-thp", "enable-debug-command", "enable-module-command", "enable-protected-configs",
		"io-threads", "io-threads-do-reads", "rdbchecksum", "set-proc-title", "socket-mark-id", "supervised",
		"syslog-enabled", "syslog-facility", "tcp-backlog", "unixsocketperm", "appendonly", "port", "tls-port",
		"protected-mode", "maxmemory-clients"} {
		for _, value := range []string{"-1", "a/b"} {
			var errors [2]string
			for i, p := range programs {
				// Programs that accept the value reject --nosuch.
				errors[i] = p.startError(t, "", "--"+name, value, "--nosuch", "1")
			}
			require.Equal(t, errors[0], errors[1], "--%s %s", name, value)
		}
	}
}

// A valid command line gives both programs the same parameters.
func TestCommandLine_Parameters(t *testing.T) {
	programs := bothPrograms(t)
	file := filepath.Join(t.TempDir(), "redis.conf")
	more := filepath.Join(t.TempDir(), "more.conf")
	require.NoError(t, os.WriteFile(more, []byte("maxclients 77\n"), 0o600))
	require.NoError(t, os.WriteFile(file, []byte("# a comment\nmaxmemory 100mb\n\tTIMEOUT 7 \r\nsave 900 1\nsave 300 "+
		"10\nbind 127.0.0.1\n"+
		"requirepass \"a \\x62\"\ninclude "+more+"\nclient-output-buffer-limit replica 256mb 64mb 60\nhz 50\n"), 0o600))
	names := []string{"maxmemory", "maxmemory-policy", "timeout", "save", "bind", "requirepass", "maxclients", "databases",
		"loglevel",
		"client-output-buffer-limit", "shutdown-on-sigterm", "shutdown-on-sigint", "oom-score-adj-values", "replicaof",
		"slaveof",
		"unixsocketperm", "latency-tracking-info-percentiles", "hz", "notify-keyspace-events", "appendonly", "daemonize",
		"hash-max-listpack-entries"}
	for _, c := range []struct {
		args     []string
		input    string
		password string
	}{
		{args: []string{"--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"}},
		{args: []string{"--bind 127.0.0.1", "--save 3600 1 300 100", "--maxmemory-policy allkeys-lru"}},
		{args: []string{"--bind", "127.0.0.1", "::1", "--save", "--maxmemory", "10mb", "--databases", "3"}},
		{args: []string{file}, password: "a b"},
		{args: []string{"--bind", "127.0.0.1", "--save", "", "--shutdown-on-sigterm", "nosave", "now",
			"--shutdown-on-sigint", "FORCE",
			"--oom-score-adj-values", "1", "2", "3", "--replicaof", "no", "one", "--unixsocketperm", "700",
			"--latency-tracking-info-percentiles", "50", "99.9"}},
		{args: []string{file, "--save", "", "--requirepass", "--x", "--hash-max-ziplist-entries", "9"}, password: "--x"},
		{args: []string{"-", "--bind", "127.0.0.1", "--save"}, input: "notify-keyspace-events Kx\nloglevel warning\n"},
		{args: []string{"--bind", "127.0.0.1", "--save", "", "--notify-keyspace-events", "KEA", "-"}, input: "maxclients 9"},
	} {
		var parameters [2]map[string]string
		for i, p := range programs {
			parameters[i] = p.parameters(t, c.args, c.input, c.password, names)
		}
		require.Equal(t, parameters[0], parameters[1], "%q", c.args)
	}
}

// parameters starts the program on a free port and returns some of its parameters.
func (p program) parameters(t *testing.T, args []string, input, password string, names []string) map[string]string {
	t.Helper()
	address := testenv.FreeAddress(t)
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	args = append([]string{}, args...)
	last := ""
	if args[len(args)-1] == "-" && len(args) > 1 { // it has to be the last argument
		args, last = args[:len(args)-1], "-"
	}
	args = append(args, "--port", port)
	if last != "" {
		args = append(args, last)
	}
	output := p.start(t, input, args...)
	testenv.AwaitServer(t, address)
	client := redis.NewClient(&redis.Options{Addr: address, Password: password})
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), replyTimeout)
	defer cancel()
	values := make(map[string]string)
	for _, name := range names {
		value, err := client.ConfigGet(ctx, name).Result()
		require.NoError(t, err, "%s %s: %s", p.name, name, output.String())
		values[name] = value[name]
	}
	return values
}

// Both programs create the users that redis.conf declares. The default user has only the rules of its line, whatever
// requirepass is.
func TestCommandLine_Users(t *testing.T) {
	for _, c := range []struct{ lines, password string }{
		{"user a on >secret ~a* resetchannels &c* -@all +get|x (~b* +set)\nuser b\n" +
			"USER c nopass allkeys (%R~x +@read) (~y +set)\nrequirepass q\n", "q"},
		{"acl-pubsub-default allchannels\nuser a on nopass\nuser default on nopass +acl|list\nrequirepass q\n", ""},
	} {
		var users [2][]string
		for i, p := range bothPrograms(t) {
			address := testenv.FreeAddress(t)
			_, port, err := net.SplitHostPort(address)
			require.NoError(t, err)
			p.start(t, c.lines, "-", "--port", port)
			testenv.AwaitServer(t, address)
			client := redis.NewClient(&redis.Options{Addr: address, Password: c.password})
			defer client.Close()
			users[i], err = client.Do(t.Context(), "ACL", "LIST").StringSlice()
			require.NoError(t, err)
		}
		require.Equal(t, users[0], users[1])
	}
}

// start starts the program with some standard input. It ends with the test.
func (p program) start(t *testing.T, input string, args ...string) *testenv.Buffer {
	t.Helper()
	cmd := exec.Command(p.path, p.args(args)...)
	cmd.Stdin, cmd.Dir = strings.NewReader(input), t.TempDir()
	return testenv.Start(t, cmd)
}

// startError runs the program with a command line that it rejects, and returns what it writes to its standard error.
func (p program) startError(t *testing.T, input string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := testenv.EndWithParent(exec.Command(p.path, p.args(args)...))
	cmd.Stdin, cmd.Stderr, cmd.Dir = strings.NewReader(input), &stderr, t.TempDir()
	require.Error(t, cmd.Run(), "%s %q", p.name, args)
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s %q", p.name, args)
	return stderr.String()
}

// A program goes on when its terminal closes or nothing reads its output, and exits with status 0.
func TestCommandLine_OutputIsNotRead(t *testing.T) {
	for _, p := range bothPrograms(t) {
		address := testenv.FreeAddress(t)
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		cmd := exec.Command(p.path, "--port", port, "--loglevel", "debug", "--save", "")
		cmd.Stdout, cmd.Stderr, cmd.Dir = writer, writer, t.TempDir()
		testenv.Start(t, cmd)
		require.NoError(t, writer.Close())
		output := bufio.NewReader(reader)
		for line := ""; !strings.Contains(line, "eady to accept connections"); {
			line, err = output.ReadString('\n')
			require.NoError(t, err)
		}
		require.NoError(t, reader.Close())
		require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
		client := redis.NewClient(&redis.Options{Addr: address})
		defer client.Close()
		for range 10 {
			const script = "redis.log(redis.LOG_WARNING, 'nobody reads') return redis.call('PING')"
			require.NoError(t, client.Eval(t.Context(), script, nil).Err(), p.name)
		}
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait(), "%s: exit status", p.name)
	}
}

// minilockd starts with the redis.conf that Debian delivers.
func TestCommandLine_DeliveredConfig(t *testing.T) {
	const delivered = "/etc/redis/redis.conf"
	if _, err := os.Stat(delivered); err != nil {
		testenv.Missing(t, "there is no %s", delivered)
	}
	address := testenv.FreeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	testenv.Start(t, exec.Command(minilockdBinary(t), delivered, "--daemonize", "no", "--port", port, "--dir", t.TempDir(),
		"--logfile", "", "--pidfile", ""))
	testenv.AwaitServer(t, address)
}
