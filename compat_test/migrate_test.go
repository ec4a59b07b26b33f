package compat

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// migratedKeys are keys of all types, some with a TTL.
var migratedKeys = [][]string{
	{"SET", "string", "v"}, {"SET", "lasting", "v", "EX", "5000"}, {"RPUSH", "list", "a", "b", "c"}, {"SADD", "set", "a",
		"b"},
	{"SADD", "ints", "1", "2"}, {"HSET", "hash", "f", "v"}, {"ZADD", "zset", "1", "a", "2", "b"},
	{"XADD", "stream", "1-1", "f", "v"}, {"EXPIRE", "hash", "6000"}, {"EXPIRE", "stream", "7000"},
}

// MIGRATE between any of the servers has the replies and effects of MIGRATE between two redis-servers.
func TestMigrate_BetweenServers(t *testing.T) {
	want := migrationSteps(t, startReference(t), startReference(t))
	require.NotEmpty(t, want)
	for _, pair := range []struct {
		name     string
		from, to func(testing.TB) string
	}{
		{"to redis", func(t testing.TB) string { return startTarget(t) }, startReference},
		{"from redis", startReference, func(t testing.TB) string { return startTarget(t) }},
		{"between minilockds", func(t testing.TB) string { return startTarget(t) },
			func(t testing.TB) string { return startTarget(t) }},
	} {
		t.Run(pair.name, func(t *testing.T) {
			got := migrationSteps(t, pair.from(t), pair.to(t))
			require.Len(t, got, len(want))
			for i := range want {
				require.Equal(t, want[i].reply, got[i].reply, "step %d: %q", i, want[i].words)
				require.Empty(t, differentKeys(want[i].source, got[i].source), "source after step %d: %q", i, want[i].words)
				require.Empty(t, differentKeys(want[i].target, got[i].target), "target after step %d: %q", i, want[i].words)
			}
		})
	}
}

// migrationStep is a MIGRATE, its reply, and the keys afterwards.
type migrationStep struct {
	words          []string
	reply          string
	source, target map[string]keyState
}

// migrationSteps runs the same MIGRATE calls from one server to another. After some calls the target needs a password.
func migrationSteps(t *testing.T, from, to string) (steps []migrationStep) {
	source, target := dial(t, from), dial(t, to)
	host, port, _ := net.SplitHostPort(to)
	_, deadPort, _ := net.SplitHostPort(testenv.FreeAddress(t))
	fill := func() {
		for _, words := range migratedKeys {
			source.do(t, words...)
		}
	}
	migrate := func(words string) {
		args := append([]string{"MIGRATE", host}, strings.Fields(words)...)
		for i, word := range args {
			args[i] = strings.NewReplacer("PORT", port, "DEAD", deadPort, "''", "").Replace(word)
		}
		step := migrationStep{words: slices.Clone(args), reply: source.do(t, args...).String()}
		step.source, step.target = keyspace(t, source), keyspace(t, target)
		steps = append(steps, step)
	}
	fill()
	all := "string lasting list set ints hash zset stream none"
	for _, words := range []string{
		"PORT string 0 5000", "PORT string 0 5000", "PORT '' 0 5000 KEYS none nil", "DEAD list 0 5000", "zz list 0 5000",
		"PORT list 0 5000 COPY", "PORT list 0 5000 COPY", "PORT list 0 5000 COPY REPLACE", "PORT list 99 5000",
		"PORT '' 0 5000 KEYS list zset none", "PORT '' 0 5000 REPLACE KEYS " + all, "PORT k 0 5000 KEYS list",
		"PORT k 0 5000 foo", "PORT '' 0 5000 KEYS", "PORT k x 5000", "PORT k 0 x",
	} {
		migrate(words)
	}
	fill()
	migrate("PORT hash 0 5000 AUTH pw REPLACE")
	target.do(t, "ACL", "SETUSER", "mover", "on", ">secret", "~*", "+@all")
	target.do(t, "CONFIG", "SET", "requirepass", "pw")
	target.do(t, "AUTH", "pw")
	for _, words := range []string{
		"PORT zset 0 5000 AUTH wrong REPLACE", "PORT zset 0 5000 AUTH2 mover wrong REPLACE",
		"PORT zset 0 5000 AUTH pw REPLACE", "PORT set 0 5000 AUTH2 mover secret",
		"PORT set 0 5000 REPLACE AUTH2 mover secret", "PORT '' 3 5000 AUTH pw COPY KEYS string hash",
	} {
		migrate(words)
	}
	target.do(t, "SELECT", "3")
	migrate("PORT '' 3 5000 AUTH pw REPLACE KEYS string hash")
	return append(steps, migrationsWithin(t, source, host, port)...)
}

// migrationsWithin runs MIGRATE in MULTI and in a script.
func migrationsWithin(t *testing.T, source *rawClient, host, port string) (steps []migrationStep) {
	for _, words := range [][]string{
		{"MULTI"}, {"SET", "m", "1"}, {"MIGRATE", host, port, "m", "3", "5000", "AUTH", "pw"}, {"EXISTS", "m"}, {"EXEC"},
		{"SET", "s", "1"},
		{"EVAL", "return redis.call('MIGRATE', ARGV[1], ARGV[2], KEYS[1], 3, 5000, 'AUTH', 'pw')", "1", "s", host, port},
		{"EVAL", "return redis.pcall('MIGRATE', ARGV[1], ARGV[2], KEYS[1], 3, 5000)", "1", "s", host, port},
		{"EXISTS", "s"},
	} {
		steps = append(steps, migrationStep{words: words, reply: source.do(t, words...).String()})
	}
	return steps
}

// A server that migrates to itself cannot reply to itself: the timeout ends the call, and the key is kept.
func TestMigrate_ToItself(t *testing.T) {
	for name, start := range map[string]func(testing.TB) string{
		"redis": startReference, "minilockd": func(t testing.TB) string { return startTarget(t) },
	} {
		t.Run(name, func(t *testing.T) {
			address := start(t)
			c := dial(t, address)
			host, port, _ := net.SplitHostPort(address)
			c.do(t, "SET", "k", "v")
			for _, db := range []string{"0", "1"} {
				require.Equal(t, "-IOERR error or timeout reading to target instance",
					c.do(t, "MIGRATE", host, port, "k", db, "200").String())
			}
			require.Equal(t, ":1", c.do(t, "EXISTS", "k").String())
		})
	}
}
