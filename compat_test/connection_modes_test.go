package compat

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// modeChangers are commands that change what a connection is, or what happens to it: its protocol, user, database, name,
// what it is told, whether it lives. {peer} stands for the address of another connection, {self} for its own.
var modeChangers = strings.Split(strings.TrimSpace(`
RESET
AUTH u p
AUTH u wrong
AUTH default x
AUTH wrong
SELECT 1
SELECT 99
HELLO
HELLO 2
HELLO 3
HELLO 4
HELLO 3 AUTH u p
HELLO 3 AUTH u wrong
HELLO 2 AUTH u p SETNAME n2
HELLO 3 SETNAME n3
HELLO 2 SETNAME
QUIT
SUBSCRIBE c
SUBSCRIBE c d c
PSUBSCRIBE c*
SSUBSCRIBE c
UNSUBSCRIBE
UNSUBSCRIBE c
PUNSUBSCRIBE
SUNSUBSCRIBE
PUBLISH c m
SPUBLISH c m
MONITOR
CLIENT REPLY ON
CLIENT REPLY OFF
CLIENT REPLY SKIP
CLIENT REPLY NOSUCH
CLIENT TRACKING ON
CLIENT TRACKING OFF
CLIENT TRACKING ON BCAST
CLIENT TRACKING ON BCAST PREFIX k
CLIENT TRACKING ON OPTIN
CLIENT TRACKING ON OPTOUT NOLOOP
CLIENT CACHING YES
CLIENT CACHING NO
CLIENT KILL {self}
CLIENT KILL {peer}
CLIENT KILL ADDR {self} SKIPME no
CLIENT KILL ADDR {peer}
CLIENT KILL USER u
CLIENT KILL 127.0.0.1:1
CLIENT PAUSE 100000 WRITE
CLIENT PAUSE 0
CLIENT UNPAUSE
CLIENT NO-EVICT ON
CLIENT SETNAME me
CLIENT SETNAME
CLIENT UNBLOCK 0
SWAPDB 0 1
WATCH k
WATCH
UNWATCH
MULTI
DISCARD
EXEC
SET k new
GET k
DEL k
FLUSHALL
FLUSHDB
DEBUG SLEEP 0
SHUTDOWN ABORT
SHUTDOWN NOSUCH
BLPOP l 0
BLPOP l2 0
XREAD BLOCK 0 STREAMS x $
WAIT 0 0
WAIT 1 0
SCRIPT FLUSH
SCRIPT KILL
SCRIPT DEBUG NO
FUNCTION KILL
FUNCTION FLUSH
CONFIG SET maxmemory 100mb
CONFIG SET requirepass q
CONFIG SET nosuch 1
ACL SETUSER u -get
ACL SETUSER default -get
ACL SETUSER default off
ACL DELUSER u
ACL DELUSER default
EVAL "redis.call('SELECT',1)" 0
EVAL "return {false,redis.call('HGETALL','h')}" 0
EVAL "redis.setresp(3) return redis.call('HGETALL','h')" 0
EVAL "return redis.error_reply('MY error')" 0
NOSUCH
GET
`), "\n")

// pairsApart thins out the pairs that are played where time is short.
const pairsApart = 23

// A pause of no time has one that is on hold up all commands until its end; that of Redis could not be ended any more.
const pausesWrites, pausesNothing = "CLIENT PAUSE 100000 WRITE", "CLIENT PAUSE 0"

// modeFixture is what each case begins with, on every server.
var modeFixture = []string{
	"CLIENT UNPAUSE", "CONFIG SET maxmemory 0", "ACL SETUSER default reset on nopass ~* &* +@all",
	"ACL SETUSER u reset on >p ~* &* +@all", "SCRIPT FLUSH", "FLUSHALL", "SELECT 1", "SET k one", "SELECT 0", "SET k zero",
	"HSET h f v", "RPUSH l2 e",
}

// modeProbes show the modes of a connection.
var modeProbes = []string{
	"GET k", "HGETALL h", "CLIENT GETNAME", "ACL WHOAMI", "CLIENT TRACKINGINFO", "SET k2 v", "PING", "ECHO end",
}

// modeCase is what one connection sends.
type modeCase struct {
	name  string
	sends []string
}

// around are the cases of one command or two: in a transaction, in a script, subscribed, and with nothing around.
func around(first, second string) []modeCase {
	in := []string{"MULTI", "GET k", first, "GET k", second, "HGETALL h", "EXEC"}
	return []modeCase{
		{"in MULTI", in},
		{"bare", []string{first, "GET k", second, "HGETALL h"}},
		{"then in MULTI", []string{first, "MULTI", "GET k", second, "HGETALL h", "EXEC"}},
	}
}

// alone are the cases of a single command.
func alone(command string) []modeCase {
	words := strings.ReplaceAll("'"+strings.Join(strings.Fields(command), "','")+"'", "{self}", "127.0.0.1:1")
	words = strings.ReplaceAll(words, "{peer}", "127.0.0.1:2")
	call, pcall := `EVAL "return redis.call(`+words+`)" 0`, `EVAL "return redis.pcall(`+words+`)" 0`
	if strings.HasPrefix(command, "EVAL") {
		call, pcall = command, "PING"
	}
	return []modeCase{
		{"first in MULTI", []string{"MULTI", command, "GET k", "HGETALL h", "EXEC"}},
		{"last in MULTI", []string{"MULTI", "GET k", "HGETALL h", command, "EXEC"}},
		{"only in MULTI", []string{"MULTI", command, "EXEC"}},
		{"in an aborted MULTI", []string{"MULTI", "NOSUCH", command, "GET k", "EXEC"}},
		{"in a discarded MULTI", []string{"MULTI", command, "DISCARD", "GET k"}},
		{"in a failed WATCH", []string{"WATCH k", "SET k x", "MULTI", command, "EXEC"}},
		{"in redis.call", []string{call, "GET k"}},
		{"in redis.pcall", []string{pcall, "GET k"}},
		{"in redis.call in MULTI", []string{"MULTI", "GET k", call, "HGETALL h", "EXEC"}},
		{"subscribed", []string{"SUBSCRIBE s", command, "PING"}},
		{"subscribed to patterns", []string{"PSUBSCRIBE s*", command, "PING"}},
		{"subscribed to shards", []string{"SSUBSCRIBE s", command, "PING"}},
		{"as another user", []string{"AUTH u p", command, "PING"}},
		{"as another user in MULTI", []string{"AUTH u p", "MULTI", "GET k", command, "GET k", "EXEC"}},
		{"twice", []string{command, command}},
	}
}

// modeServer is a server on which mode cases are played one after the other.
type modeServer struct {
	t       *testing.T
	address string
	admin   *rawClient
	last    modeCase
}

// play sets the fixture and returns all that the connection gets, and what a peer does then.
func (s *modeServer) play(c modeCase, resp3 bool) string {
	s.prepare()
	s.last = c
	peer, self := connect(s.t, s.address), connect(s.t, s.address)
	addresses := strings.NewReplacer("{peer}", peer.LocalAddr().String(), "{self}", self.LocalAddr().String())
	var raw []byte
	if resp3 {
		raw = packed("HELLO", "3")
	}
	for _, line := range append(append([]string{}, c.sends...), modeProbes...) {
		words, _, err := splitArgs(addresses.Replace(line))
		require.NoError(s.t, err, line)
		raw = append(raw, packed(words...)...)
	}
	got := readUntilClose(s.t, self, raw)
	later := readUntilClose(s.t, peer, packed("PING")) // one that was killed may be so just now, and then reset by what is sent
	return maskPerRun(got + "peer:" + strings.TrimSuffix(later, "(reset)"))
}

// prepare brings the server back to where it began; it enters again if a case has ended its connection.
func (s *modeServer) prepare() {
	for range 2 {
		if s.admin == nil {
			s.admin = dial(s.t, s.address)
			s.admin.queue("AUTH", "admin", "p")
			require.NoError(s.t, s.admin.flush())
			v, err := s.admin.read()
			require.NoError(s.t, err, "%s after %s", s.address, s.last)
			require.Equal(s.t, "+OK", v.String())
		}
		var commands [][]string
		for _, line := range modeFixture {
			commands = append(commands, strings.Fields(line))
		}
		if _, err := s.admin.pipeline(commands); err == nil {
			return
		}
		s.admin = nil
	}
	require.Fail(s.t, "the fixture can't be set")
}

func startModeServer(t *testing.T, address string) *modeServer {
	c := dial(t, address)
	require.Equal(t, "+OK", c.do(t, "ACL", "SETUSER", "admin", "on", ">p", "~*", "&*", "+@all").String())
	return &modeServer{t: t, address: address}
}

// What changes a connection's mode does so at the same moment as in Redis, wherever it stands, and every byte that the
// connection gets is the same.
func TestModes_BytesAreThoseOfRedis(t *testing.T) {
	ref, target := startModeServer(t, startReference(t)), startModeServer(t, startTarget(t))
	d := newDifferences(t, "modes")
	defer d.end()
	compare := func(name string, c modeCase, resp3 bool) {
		name += " " + c.name
		if resp3 {
			name += " in RESP3"
		}
		d.compare(name, readable(ref.play(c, resp3)), readable(target.play(c, resp3)))
	}
	for i, first := range modeChangers {
		for _, resp3 := range []bool{false, true} {
			for _, c := range alone(first) {
				compare(first, c, resp3)
			}
			for j, second := range modeChangers {
				if !testenv.Long() && (i+j)%pairsApart != 0 || first == pausesWrites && second == pausesNothing {
					continue
				}
				for _, c := range around(first, second) {
					compare(first+" · "+second, c, resp3)
				}
			}
		}
	}
}
