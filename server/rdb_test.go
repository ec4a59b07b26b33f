package server

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// keeper starts a server that keeps its data in a directory, with more lines of configuration.
func keeper(t *testing.T, dir string, lines ...string) *Server {
	t.Helper()
	return StartT(t, Options{KeepData: true, Config: "dir " + dir + "\n" + strings.Join(lines, "\n")})
}

// replyTo runs a command and returns its reply, or its error, as text.
func replyTo(t *testing.T, s *Server, line string) string {
	t.Helper()
	var args []any
	for _, word := range strings.Fields(line) {
		args = append(args, word)
	}
	reply, err := s.Do(context.Background(), args...).Text()
	if err != nil {
		return err.Error()
	}
	return reply
}

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// awaitInfo waits until INFO has a line.
func awaitInfo(t *testing.T, s *Server, line string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(replyTo(t, s, "INFO persistence"), "\r\n"+line+"\r\n") },
		10*time.Second, time.Millisecond, line)
}

func TestSave_IsLoadedAtTheNextStart(t *testing.T) {
	dir := t.TempDir()
	s := keeper(t, dir, "dbfilename my.rdb")
	require.Equal(t, "OK", replyTo(t, s, "SET k v"))
	awaitInfo(t, s, "rdb_changes_since_last_save:1")
	require.Equal(t, "OK", replyTo(t, s, "SAVE"))
	awaitInfo(t, s, "rdb_changes_since_last_save:0")
	require.Equal(t, []string{"my.rdb"}, filesIn(t, dir))
	require.NoError(t, s.Close())

	s = keeper(t, dir, "dbfilename my.rdb")
	awaitInfo(t, s, "rdb_changes_since_last_save:0")
	require.Equal(t, "v", replyTo(t, s, "GET k"))
}

// A server that was not told where writes no file.
func TestSave_WithoutAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	s := StartT(t)
	for command, want := range map[string]string{"SET k v": "OK", "SAVE": "OK", "BGSAVE": "Background saving started"} {
		require.Equal(t, want, replyTo(t, s, command))
	}
	require.Empty(t, filesIn(t, "."))
}

func TestBGSave(t *testing.T) {
	dir := t.TempDir()
	s := keeper(t, dir)
	awaitInfo(t, s, "rdb_last_bgsave_time_sec:-1")
	require.Equal(t, "OK", replyTo(t, s, "SET k v"))
	require.Equal(t, "Background saving started", replyTo(t, s, "BGSAVE"))
	awaitInfo(t, s, "rdb_bgsave_in_progress:0")
	awaitInfo(t, s, "rdb_last_bgsave_status:ok")
	awaitInfo(t, s, "rdb_last_bgsave_time_sec:0")
	require.Equal(t, "v", replyTo(t, keeper(t, dir), "GET k"))

	nc := dial(t, s)
	ask(t, nc, "MULTI\r\nSET k w\r\nBGSAVE\r\nEXEC\r\n",
		"+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n+OK\r\n+Background saving scheduled\r\n")
	awaitInfo(t, s, "rdb_changes_since_last_save:0")
	require.Equal(t, "w", replyTo(t, keeper(t, dir), "GET k"))
	require.Equal(t, []string{"dump.rdb"}, filesIn(t, dir))
}

// Writes and PING are rejected once the data could not be saved in the background, until it can.
func TestBGSave_Fails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	s := keeper(t, dir)
	require.Equal(t, "ERR", replyTo(t, s, "SAVE"))
	require.Equal(t, "OK", replyTo(t, s, "SET k v"))
	require.Equal(t, "Background saving started", replyTo(t, s, "BGSAVE"))
	awaitInfo(t, s, "rdb_last_bgsave_status:err")
	const misconf = "MISCONF Redis is configured to save RDB snapshots"
	for _, line := range []string{"SET k v", "PING", "EVAL return(redis.call('SET','k','v')) 0"} {
		require.Contains(t, replyTo(t, s, line), misconf)
	}
	require.Equal(t, "v", replyTo(t, s, "GET k"))
	require.Equal(t, "ERR Errors trying to SHUTDOWN. Check logs.", replyTo(t, s, "SHUTDOWN"))
	require.Equal(t, "OK", replyTo(t, s, "CONFIG SET stop-writes-on-bgsave-error no"))
	require.Equal(t, "OK", replyTo(t, s, "SET k w"))
	require.Equal(t, "OK", replyTo(t, s, "CONFIG SET stop-writes-on-bgsave-error yes"))
	require.Contains(t, replyTo(t, s, "SET k v"), misconf)
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.Equal(t, "OK", replyTo(t, s, "SAVE"))
	require.Equal(t, "OK", replyTo(t, s, "SET k v"))
}

func TestShutdown_Saves(t *testing.T) {
	for _, test := range []struct {
		lines, command string
		saved          bool
	}{
		{"", "SHUTDOWN", true}, {"", "SHUTDOWN NOSAVE", false}, {"save ''", "SHUTDOWN", false},
		{"save ''", "SHUTDOWN SAVE", true},
	} {
		dir := t.TempDir()
		s := keeper(t, dir, test.lines)
		require.Equal(t, "OK", replyTo(t, s, "SET k v"))
		replyTo(t, s, test.command)
		<-s.Done()
		require.NoError(t, s.Close())
		require.Equal(t, test.saved, len(filesIn(t, dir)) == 1, "%s, %s", test.lines, test.command)
	}
}

// The end of the context is that of a signal.
func TestStart_ContextEnds_Saves(t *testing.T) {
	for line, saved := range map[string]bool{"": true, "shutdown-on-sigterm nosave": false} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		s, err := Start(ctx, Options{KeepData: true, Config: "dir " + dir + "\n" + line})
		require.NoError(t, err)
		cancel()
		<-s.Done()
		require.NoError(t, s.Close())
		require.Equal(t, saved, len(filesIn(t, dir)) == 1)
	}
}

func TestSavePoints(t *testing.T) {
	dir := t.TempDir()
	s := keeper(t, dir, "save 60 2")
	require.Equal(t, "OK", replyTo(t, s, "SET k v"))
	s.Clock().Advance(2 * time.Minute)
	require.Empty(t, filesIn(t, dir))
	require.Equal(t, "OK", replyTo(t, s, "SET k w"))
	s.Clock().Advance(2 * time.Second)
	require.Equal(t, []string{"dump.rdb"}, filesIn(t, dir))
	awaitInfo(t, s, "rdb_changes_since_last_save:0")
	require.Equal(t, "save\n60 2", strings.Join(configOf(t, s, "save"), "\n"))
	require.Equal(t, []string{"save", "3600 1 300 100 60 10000"}, configOf(t, keeper(t, dir), "save"))
}

func configOf(t *testing.T, s *Server, name string) []string {
	t.Helper()
	pair, err := s.Do(context.Background(), "CONFIG", "GET", name).Strings()
	require.NoError(t, err)
	return pair
}

func TestStart_DamagedFile(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{"SET k v\n": "Wrong signature trying to load DB from file",
		"REDIS0010\xff": "the file is cut off or damaged"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dump.rdb"), []byte(content), 0o600))
		_, err := Start(context.Background(), Options{KeepData: true, Config: "dir " + dir})
		require.ErrorContains(t, err, "Fatal error loading the DB "+filepath.Join(dir, "dump.rdb")+": ")
		require.ErrorContains(t, err, want)
	}
}

// With NOSAVE, what is in the file comes back.
func TestDebugReload(t *testing.T) {
	dir := t.TempDir()
	s := keeper(t, dir)
	for _, step := range [][2]string{{"SET k v", "OK"}, {"DEBUG RELOAD", "OK"}, {"SET k w", "OK"}, {"SET l x", "OK"},
		{"DEBUG RELOAD NOSAVE NOFLUSH MERGE", "OK"}, {"GET k", "v"}, {"GET l", "x"}, {"DEBUG RELOAD NOSAVE", "OK"},
		{"EXISTS l", "0"}, {"HSET h f v", "1"}, {"DEBUG RELOAD", "OK"}, {"HGET h f", "v"}} {
		require.Equal(t, step[1], replyTo(t, s, step[0]), step[0])
	}
	require.Equal(t, []string{"dump.rdb"}, filesIn(t, dir))
	require.Equal(t, "v", replyTo(t, keeper(t, dir), "HGET h f"))
}
