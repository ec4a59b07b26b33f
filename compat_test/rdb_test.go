package compat

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/server"
)

// valuesInFile is the number of random values in an RDB file.
const valuesInFile = 300

// A real server starts from the file that minilockd writes, minilockd from the one that the real server then saves, and
// the data stays the same: every type in every encoding, expiries, functions, several databases.
func TestRDB_Exchanged(t *testing.T) {
	for _, name := range realServers {
		t.Run(name, func(t *testing.T) {
			s := server.StartT(t, server.Options{Emulate: name})
			c := dial(t, s.Addr())
			fillForRDB(t, c, emulate.Named(name))
			file := filepath.Join(t.TempDir(), "dump.rdb")
			saveRDB(t, s, file)
			checkRDB(t, name, file)
			real := dial(t, startReal(t, name, "--dir", filepath.Dir(file), "--maxmemory-policy", "allkeys-lru"))
			require.Equal(t, stateForRDB(t, c), stateForRDB(t, real))

			require.Equal(t, "+OK", real.do(t, "DEBUG", "RELOAD").String()) // encodings may change
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			other := server.StartT(t, server.Options{Emulate: name, MaxMemoryPolicy: "allkeys-lru"})
			require.NoError(t, other.Seed(bytes.NewReader(data)))
			loaded := dial(t, other.Addr())
			require.Equal(t, stateForRDB(t, real), stateForRDB(t, loaded))
			for _, db := range []string{"0", "3"} {
				require.Equal(t, encodings(t, real, db), encodings(t, loaded, db))
			}
		})
	}
}

func saveRDB(t *testing.T, s *server.Server, name string) {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, s.SaveRDB(&file))
	require.NoError(t, os.WriteFile(name, file.Bytes(), 0o600))
}

// fillForRDB gives a server one value of each kind that there is, and random ones.
func fillForRDB(t *testing.T, c *rawClient, server *emulate.Server) {
	t.Helper()
	commands := [][]string{
		{"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"},
		{"FUNCTION", "LOAD", "#!lua name=one\nredis.register_function('f', function() return 1 end)"},
		{"FUNCTION", "LOAD", "#!lua name=two\nredis.register_function('g', function() return 2 end)"},
		{"SET", "expiring", "12345", "EX", "5000"},
		{"RESTORE", "idle", "0", string(rdb.Seal([]byte("\x00\x01v"), rdb.Redis70)), "IDLETIME", "7000"},
		{"SELECT", "3"}, {"SET", "s", "v"}, {"HSET", "h", "f", "v", "g", "w"},
		{"PFADD", "hll", "a", "b"}, {"SETBIT", "bits", "1000", "1"},
	}
	rnd := rand.New(rand.NewPCG(*randomSeed, 0))
	for i := range valuesInFile {
		commands = append(commands, randomValue(rnd, "k"+strconv.Itoa(i))...)
	}
	commands = append(commands, []string{"SELECT", "0"})
	if server.Has("7.4 valkey-9.0") && (!server.Valkey || server.RDB == rdb.Valkey9) {
		commands = append(commands, expiringFields()...)
	}
	replies, err := c.pipeline(commands)
	require.NoError(t, err)
	for i, r := range replies {
		require.NotEqual(t, byte('-'), r.kind, "%q: %s", commands[i], r)
	}
}

// expiringFields are commands that make hashes with expiring fields, a small and a large one.
func expiringFields() (commands [][]string) {
	for key, fields := range map[string]int{"small": 5, "large": 700} {
		for i := range fields {
			field := strconv.Itoa(i)
			commands = append(commands, []string{"HSET", key, field, "v" + field})
			if i%2 == 0 {
				commands = append(commands, []string{"HPEXPIREAT", key, strconv.Itoa(4_000_000_000_000 + i), "FIELDS", "1", field})
			}
		}
	}
	return commands
}

// stateForRDB is what a file must preserve.
func stateForRDB(t *testing.T, c *rawClient) []string {
	t.Helper()
	state := []string{c.do(t, "DEBUG", "DIGEST").text, c.do(t, "FCALL", "f", "0").text + c.do(t, "FCALL", "g", "0").text}
	for _, db := range []string{"0", "3"} {
		c.do(t, "SELECT", db)
		state = append(state, c.do(t, "DBSIZE").text)
		for _, key := range sortedKeys(t, c) {
			state = append(state, key+" "+c.do(t, "PEXPIRETIME", key).text)
		}
	}
	c.do(t, "SELECT", "0")
	state = append(state, c.do(t, "HPEXPIRETIME", "large", "FIELDS", "3", "0", "1", "698").String(),
		c.do(t, "HPEXPIRETIME", "small", "FIELDS", "3", "0", "1", "4").String())
	idle, err := strconv.Atoi(c.do(t, "OBJECT", "IDLETIME", "idle").text)
	require.NoError(t, err)
	return append(state, strconv.FormatBool(idle >= 7000 && idle < 8000))
}

func sortedKeys(t *testing.T, c *rawClient) (keys []string) {
	t.Helper()
	for _, key := range c.do(t, "KEYS", "*").elems {
		keys = append(keys, key.text)
	}
	slices.Sort(keys)
	return keys
}

// encodings are those of all keys of a database.
func encodings(t *testing.T, c *rawClient, db string) (encodings []string) {
	t.Helper()
	c.do(t, "SELECT", db)
	for _, key := range sortedKeys(t, c) {
		encodings = append(encodings, key+" "+c.do(t, "OBJECT", "ENCODING", key).text)
	}
	return encodings
}

// rdbCheckers are the servers whose program is also redis-check-rdb, under that name; the others are started by a
// script. Each checks the files of all servers of its product that are not newer.
var rdbCheckers = map[string]string{installed: installed, "8.0": "8.2", "8.2": "8.2", "valkey-8.1": "valkey-9.1",
	"valkey-9.1": "valkey-9.1"}

// checkRDB runs redis-check-rdb on a file.
func checkRDB(t *testing.T, name, file string) {
	t.Helper()
	program, err := programOf(rdbCheckers[name])
	if err == nil {
		program, err = exec.LookPath(program)
	}
	if err != nil {
		testenv.Missing(t, "no redis-check-rdb for %s: %v", name, err)
	}
	check := &exec.Cmd{Path: program, Args: []string{"redis-check-rdb", file}}
	out, err := check.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "RDB looks OK!")
}
