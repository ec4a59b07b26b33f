package compat

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// modeChangers are commands that change a connection: its protocol, user, database, name, subscriptions, or close it.
// {peer} is the address of another connection, {self} its own.
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

// pairStep selects every 23rd pair of commands for the short test.
const pairStep = 23

// CLIENT PAUSE 0 turns a pause of writes into one of all commands until the pause ends, so Redis could not unpause.
const pausesWrites, pausesNothing = "CLIENT PAUSE 100000 WRITE", "CLIENT PAUSE 0"

// modeSetup is run before each case.
var modeSetup = []string{
	"CLIENT UNPAUSE", "CONFIG SET maxmemory 0", "ACL SETUSER default reset on nopass ~* &* +@all",
	"ACL SETUSER u reset on >p ~* &* +@all", "SCRIPT FLUSH", "FLUSHALL", "SELECT 1", "SET k one", "SELECT 0", "SET k zero",
	"HSET h f v", "RPUSH l2 e",
}

// modeProbes show the state of a connection.
var modeProbes = []string{
	"GET k", "HGETALL h", "CLIENT GETNAME", "ACL WHOAMI", "CLIENT TRACKINGINFO", "SET k2 v", "PING", "ECHO end",
}

// modeCase is the commands of one connection.
type modeCase struct {
	name  string
	sends []string
}

// pairCases returns cases of two commands: within a transaction, around one, and without.
func pairCases(first, second string) []modeCase {
	in := []string{"MULTI", "GET k", first, "GET k", second, "HGETALL h", "EXEC"}
	return []modeCase{
		{"in MULTI", in},
		{"bare", []string{first, "GET k", second, "HGETALL h"}},
		{"then in MULTI", []string{first, "MULTI", "GET k", second, "HGETALL h", "EXEC"}},
	}
}

// singleCases returns cases of one command.
func singleCases(command string) []modeCase {
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

// modeServer is a server that runs one case after another.
type modeServer struct {
	t       *testing.T
	address string
	admin   *rawClient
	last    modeCase
}

// run runs a case and returns all bytes that the connection gets, and what another connection gets then.
func (s *modeServer) run(c modeCase, resp3 bool) string {
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
	later := readUntilClose(s.t, peer, packed("PING")) // a connection that is being killed may be reset by this
	return maskPerRun(got + "peer:" + strings.TrimSuffix(later, "(reset)"))
}

// prepare resets the server. If a case has closed the connection of the administrator, it connects again.
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
		for _, line := range modeSetup {
			commands = append(commands, strings.Fields(line))
		}
		if _, err := s.admin.pipeline(commands); err == nil {
			return
		}
		s.admin = nil
	}
	require.Fail(s.t, "the setup fails")
}

func startModeServer(t *testing.T, address string) *modeServer {
	c := dial(t, address)
	require.Equal(t, "+OK", c.do(t, "ACL", "SETUSER", "admin", "on", ">p", "~*", "&*", "+@all").String())
	return &modeServer{t: t, address: address}
}

// A change of a connection's mode takes effect at the same moment as in Redis, in transactions and scripts, too: the
// connection gets the same bytes.
func TestConnectionModes(t *testing.T) {
	ref, target := startModeServer(t, startReference(t)), startModeServer(t, startTarget(t))
	d := newDifferences(t, "modes")
	defer d.end()
	compare := func(name string, c modeCase, resp3 bool) {
		name += " " + c.name
		if resp3 {
			name += " in RESP3"
		}
		d.compare(name, readable(ref.run(c, resp3)), readable(target.run(c, resp3)))
	}
	for i, first := range modeChangers {
		for _, resp3 := range []bool{false, true} {
			for _, c := range singleCases(first) {
				compare(first, c, resp3)
			}
			for j, second := range modeChangers {
				if !testenv.Long() && (i+j)%pairStep != 0 || first == pausesWrites && second == pausesNothing {
					continue
				}
				for _, c := range pairCases(first, second) {
					compare(first+" · "+second, c, resp3)
				}
			}
		}
	}
}
