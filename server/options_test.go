package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/internal/require"
)

func TestOptions_Errors(t *testing.T) {
	for message, options := range map[string]Options{
		"Databases must be between 1 and 65536":      {Databases: -1},
		"or 0 for 16: 1073741824":                    {Databases: 1 << 30},
		"ScriptMemory must not be negative":          {ScriptMemory: -1},
		"MaxMemory must not be negative":             {MaxMemory: -1},
		"MaxMemoryPolicy \"fast\": argument(s) must": {MaxMemoryPolicy: "fast"},
		"argument must be between 1 and 65536":       {Config: "databases 2000000000"},
		"Bad directive or wrong number":              {Config: "nosuch 1"},
		"there is no append only file":               {Config: "appendonly yes"},
		"has no cluster mode":                        {Config: "cluster-enabled yes"},
		"TLS.Only there must be no Addr":             {Addr: ":0", TLS: &TLS{Only: true}},
		"InMemory there must be no":                  {InMemory: true, TLS: &TLS{}},
		"no tls-cert-file":                           {TLS: &TLS{}, Config: "tls-key-file x"},
		"no tls-key-file":                            {TLS: &TLS{}, Config: "tls-cert-file x"},
		"tls-ca-cert-dir is needed":                  {TLS: &TLS{}, Config: "tls-cert-file x\ntls-key-file x"},
		"open nosuch.crt": {TLS: &TLS{}, Config: "tls-auth-clients no\ntls-cert-file nosuch.crt\n" +
			"tls-key-file x"},
		"open nosuch.ca":                 {TLS: &TLS{}, Config: "tls-ca-cert-file nosuch.ca"},
		"a combination of TLSv1":         {TLS: &TLS{}, Config: "tls-protocols SSLv3"},
		"none of \"foo\" is known":       {TLS: &TLS{}, Config: "tls-ciphers foo"},
		"loads no modules":               {Config: "loadmodule /x.so"},
		"couldn't be parsed as an octal": {Config: "unixsocketperm 999"},
		"nothing to listen on":           {Config: "port 0"},
		"Unbalanced quotes":              {Config: "requirepass \"a"},
		"Too many bind addresses":        {Config: "bind " + strings.Repeat("127.0.0.1 ", 17)},
	} {
		s, err := Start(context.Background(), options)
		require.ErrorContains(t, err, message)
		require.Nil(t, s)
	}
}

// The lines of Config take effect, fields override them, and an error names its line.
func TestOptions_Config(t *testing.T) {
	s := StartT(t,
		Options{Config: "# a test\nmaxmemory 100mb\nrequirepass no\ndatabases 3\nnotify-keyspace-events KEA\nappendonly " +
			"no\nsave \"\""},
		Options{Password: "pw", MaxMemory: 1 << 20})
	nc := dial(t, s)
	ask(t, nc, "AUTH pw\r\n", "+OK\r\n")
	ask(t, nc, "CONFIG GET maxmemory\r\n", "*2\r\n$9\r\nmaxmemory\r\n$7\r\n1048576\r\n")
	ask(t, nc, "CONFIG GET databases\r\n", "*2\r\n$9\r\ndatabases\r\n$1\r\n3\r\n")
	ask(t, nc, "CONFIG GET notify-keyspace-events\r\n", "*2\r\n$22\r\nnotify-keyspace-events\r\n$3\r\nAKE\r\n")
	ask(t, nc, "SELECT 3\r\n", "-ERR DB index is out of range\r\n")

	_, err := Start(context.Background(), Options{Config: "port 0\n\nmaxclients many"})
	var bad *redisconf.Error
	require.True(t, errors.As(err, &bad))
	require.Equal(t, 3, bad.Line.Number)
}

// A server listens on each address of bind, with the same port, or on a Unix socket alone if port is 0.
func TestOptions_Config_Bind(t *testing.T) {
	s := StartT(t, Options{Config: "bind 127.0.0.1 127.0.0.2 -192.0.2.1"})
	_, port, err := net.SplitHostPort(s.Addr())
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "127.0.0.2"} {
		nc, err := net.Dial("tcp", net.JoinHostPort(host, port))
		require.NoError(t, err)
		ask(t, nc, "PING\r\n", "+PONG\r\n")
		require.NoError(t, nc.Close())
	}
	_, err = Start(context.Background(), Options{Config: "bind 127.0.0.1 192.0.2.1"})
	require.ErrorContains(t, err, "192.0.2.1")

	path := filepath.Join(t.TempDir(), "socket")
	s = StartT(t, Options{Config: "port 0\nunixsocketperm 700\nunixsocket " + path})
	require.Equal(t, path, s.Addr())
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	nc, err := net.Dial("unix", path)
	require.NoError(t, err)
	defer nc.Close()
	ask(t, nc, "CONFIG GET port\r\n", "*2\r\n$4\r\nport\r\n$1\r\n0\r\n")
}

func TestStart_PortInUse_ErrorSuggestsPort0(t *testing.T) {
	s := StartT(t)
	_, err := Start(context.Background(), Options{Addr: s.Addr()})
	require.ErrorContains(t, err, s.Addr())
	require.ErrorContains(t, err, "127.0.0.1:0 takes a free port")
}

func TestStart_AllAddresses_Warns(t *testing.T) {
	var log strings.Builder
	s := StartT(t, Options{Addr: ":0", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, s.Close())
	require.Contains(t, log.String(), "without a password")
	log.Reset()
	s = StartT(t, Options{Addr: ":0", Password: "x", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, s.Close())
	require.NotContains(t, log.String(), "without a password")
}

// LogLevel follows loglevel from the start, and INFO returns the name of the file.
func TestStart_LogLevelAndFile(t *testing.T) {
	level := new(slog.LevelVar)
	nc := dial(t, StartT(t, Options{Config: "loglevel debug", LogLevel: level, ConfigFile: "/tests/redis.conf"}))
	require.Equal(t, slog.LevelDebug, level.Level())
	ask(t, nc, "CONFIG SET loglevel warning\r\n", "+OK\r\n")
	require.Equal(t, slog.LevelWarn, level.Level())
	require.Contains(t, bulk(t, nc, "INFO server"), "config_file:/tests/redis.conf\r\n")
	ask(t, nc, "CONFIG REWRITE\r\n", "-ERR Rewriting config file: minilockd writes no files\r\n")
}

// Errors have the line number in the text.
func TestStartT_LineOfAnError(t *testing.T) {
	f := fatal{T: t}
	StartT(&f, Options{Config: "hz 10"}, Options{Config: "appendonly yes"})
	require.Contains(t, f.message, "configuration line 2,")
	StartT(&f, Options{Config: "appendonly yes"})
	require.Contains(t, f.message, "configuration line 1,")
}

func TestStart_NoAddress(t *testing.T) {
	for _, config := range []string{"port 0", `bind ""`} {
		_, err := Start(context.Background(), Options{Config: config})
		require.ErrorIs(t, err, errNoPlace, config)
	}
}

// fatal is a TB that records the failure.
type fatal struct {
	*testing.T
	message string
}

func (f *fatal) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
}

// safeLog is a log for several goroutines.
type safeLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// At Debug connections are logged, and every error of a command, whether rejected, run, or called by a script.
func TestOptions_Logger_Debug(t *testing.T) {
	for level, logged := range map[slog.Level]bool{slog.LevelDebug: true, slog.LevelInfo: false} {
		var log safeLog
		s := StartT(t, Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level}))})
		nc := dial(t, s)
		ask(t, nc, "SET k v\r\nLPUSH k 1\r\n",
			"+OK\r\n-WRONGTYPE Operation against a key holding the wrong kind of value\r\n")
		ask(t, nc, "NOSUCH\r\n", "-ERR unknown command 'NOSUCH', with args beginning with: \r\n")
		ask(t, nc, "EVAL \"redis.pcall('nosuch') redis.pcall('incr', KEYS[1]) return redis.error_reply('MINE x')\" 1 k\r\n",
			"-MINE x\r\n")
		require.NoError(t, s.Close())
		for _, part := range []string{
			"connection opened", "connection closed", "address=" + nc.LocalAddr().String(),
			`command=lpush error="WRONGTYPE`, `command=unknown error="ERR unknown command 'NOSUCH'`, `error="ERR Unknown ` +
				`Redis command called from script`,
			`command=incr error="ERR value is not an integer`, `command=eval error="MINE x"`,
		} {
			require.Equal(t, logged, strings.Contains(log.text.String(), part), "%s: %s in\n%s", level, part, log.text.String())
		}
	}
}

// With the largest number of databases, commands that go through all of them end at once.
func TestOptions_MaxDatabases(t *testing.T) {
	s := StartT(t, Options{Databases: MaxDatabases})
	nc := dial(t, s)
	ask(t, nc, "SELECT 65535\r\nSET k v\r\nDBSIZE\r\nFLUSHALL\r\nDBSIZE\r\n", "+OK\r\n+OK\r\n:1\r\n+OK\r\n:0\r\n")
	ask(t, nc, "SELECT 65536\r\n", "-ERR DB index is out of range\r\n")
}
