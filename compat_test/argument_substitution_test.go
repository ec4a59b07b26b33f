package compat

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// substitutes replace one argument of a command after the other.
var substitutes = []string{"", "0", "-1", "9223372036854775807", "\x00\xff"}

// adminSubstitutes are the substitutes in administrative commands: a large number would block the server.
var adminSubstitutes = []string{"", "-1", "\x00\xff"}

// adminCommands are calls of the commands that the random generator does not send.
var adminCommands = strings.Split(strings.TrimSpace(`
ACL CAT read|ACL DELUSER u1|ACL DELUSER u1 u2|ACL DRYRUN default GET k1|ACL GENPASS 4|ACL GETUSER default|ACL LIST x
ACL LOG 1
ACL LOG RESET|ACL SETUSER u1 on|ACL SETUSER u1 on >p ~k* &c +get|ACL WHOAMI x|ACL HELP x|ACL LOAD|ACL SAVE
AUTH p|AUTH default p|BGSAVE SCHEDULE|CLIENT CACHING YES|CLIENT GETNAME x|CLIENT GETREDIR x|CLIENT ID x|CLIENT INFO x
CLIENT KILL 127.0.0.1:1|CLIENT KILL ID 999999|CLIENT KILL TYPE replica|CLIENT KILL USER u9|CLIENT KILL ADDR 127.0.0.1:1
CLIENT KILL LADDR 127.0.0.1:1|CLIENT KILL ID 999999 SKIPME yes|CLIENT LIST TYPE replica|CLIENT LIST ID 999999
CLIENT NO-EVICT on|CLIENT PAUSE 0|CLIENT PAUSE 0 WRITE|CLIENT REPLY ON|CLIENT SETNAME n|CLIENT TRACKING ON
CLIENT TRACKING OFF
CLIENT TRACKING ON REDIRECT 0|CLIENT TRACKING ON PREFIX k BCAST|CLIENT TRACKING ON BCAST OPTIN|CLIENT UNBLOCK 999999
CLIENT UNBLOCK 999999 ERROR|CLUSTER INFO|CLUSTER KEYSLOT k|CLUSTER COUNTKEYSINSLOT 1|CLUSTER GETKEYSINSLOT 1 1
COMMAND COUNT x|COMMAND INFO get|COMMAND DOCS get|COMMAND GETKEYS GET k1|COMMAND GETKEYS MSET k1 v k2 v
COMMAND GETKEYSANDFLAGS SET k1 v|COMMAND LIST FILTERBY MODULE x|COMMAND LIST FILTERBY ACLCAT hyperloglog
COMMAND LIST FILTERBY PATTERN xread*|COMMAND GETKEYS EVAL s 1 k1|CONFIG GET maxmemory|CONFIG GET maxmemory timeout
CONFIG GET hash-max-*|CONFIG RESETSTAT x|CONFIG SET maxmemory 0|CONFIG SET maxmemory-policy noeviction
CONFIG SET timeout 0
CONFIG SET timeout 0 maxmemory 0|CONFIG SET notify-keyspace-events KEA|CONFIG SET hz 10
CONFIG SET appendonly no|CONFIG SET save 1|CONFIG SET client-output-buffer-limit x|CONFIG SET lua-time-limit 5000
CONFIG SET hash-max-listpack-entries 128|CONFIG SET latency-monitor-threshold 0|CONFIG SET maxclients 10000
CONFIG REWRITE x
DBSIZE x|ECHO x|ECHO x y|FAILOVER TO h 1|FAILOVER ABORT|FLUSHALL ASYNC|FLUSHDB SYNC|HELLO 2|HELLO 3|HELLO 2 SETNAME n
HELLO 2 AUTH default x|HELLO 2 AUTH default x SETNAME n|INFO nosuch|LASTSAVE x|LATENCY DOCTOR x
LATENCY GRAPH command|LATENCY HISTORY command|LATENCY LATEST x|LATENCY RESET|LATENCY RESET command
LATENCY HISTOGRAM nosuch
LOLWUT VERSION 1|MEMORY USAGE k1 SAMPLES 5|MEMORY PURGE x|MEMORY MALLOC-STATS x|MODULE LIST|MODULE LOAD m
MODULE UNLOAD m
MONITOR x|OBJECT ENCODING k1|OBJECT FREQ k1|OBJECT IDLETIME k1|PING|PING x|PUBLISH c m|PUBSUB CHANNELS
PUBSUB CHANNELS c*
PUBSUB NUMPAT x|PUBSUB NUMSUB c|PUBSUB NUMSUB c d|PUBSUB SHARDCHANNELS c*|PUBSUB SHARDNUMSUB c|READONLY x
REPLICAOF NO ONE
SLAVEOF NO ONE|RESET x|ROLE x|SAVE x|SCRIPT DEBUG NO|SCRIPT EXISTS x|SCRIPT EXISTS x y|SCRIPT FLUSH SYNC|SCRIPT KILL x
SCRIPT LOAD return|SELECT 0|SHUTDOWN ABORT|SLOWLOG GET 1|SLOWLOG GET|SLOWLOG LEN x|SLOWLOG RESET x|SPUBLISH c m
SUBSCRIBE c
PSUBSCRIBE c*|SSUBSCRIBE c|UNSUBSCRIBE c|PUNSUBSCRIBE c*|SUNSUBSCRIBE c|SWAPDB 0 1|TIME x|UNWATCH x|WAIT 0 0|WATCH k1
WATCH k1 k2|EVAL s 0|EVAL s 1 k1|EVAL s 1 k1 a|EVAL_RO s 1 k1|EVALSHA s 1 k1|EVALSHA_RO s 1 k1|FCALL f 1 k1
FCALL_RO f 1 k1
FUNCTION DUMP x|FUNCTION DELETE l|FUNCTION FLUSH SYNC|FUNCTION LIST LIBRARYNAME l|FUNCTION LIST WITHCODE|FUNCTION LOAD x
FUNCTION LOAD REPLACE x|FUNCTION RESTORE x|FUNCTION RESTORE x FLUSH|FUNCTION STATS x|FUNCTION KILL x
MIGRATE 127.0.0.1 1 k9 0 1|MIGRATE 127.0.0.1 1 k9 0 1 COPY REPLACE|MIGRATE 127.0.0.1 1 k9 0 1 AUTH p
MIGRATE 127.0.0.1 1 k9 0 1 AUTH2 u p
RESTORE k9 0 x|RESTORE k9 0 x REPLACE ABSTTL IDLETIME 1|DUMP k1|TOUCH k1 k2|SORT k3 LIMIT 0 1 GET # BY nosort
PFSELFTEST x
`), "\n")

// createKeysScript creates the keys for each command: one of each type, some with a TTL, one with an empty name.
const createKeysScript = `
redis.call('FLUSHALL') redis.call('SELECT', 1) redis.call('SET', 'k1', 'one') redis.call('SELECT', 0)
redis.call('SET', 'k1', '10') redis.call('SET', 'k2', 'text', 'EX', 100000) redis.call('SET', '', 'nameless')
redis.call('RPUSH', 'k3', '3', '1', '2') redis.call('HSET', 'k4', 'f1', '1', '', 'empty', 'f2', 'x')
redis.call('SADD', 'k5', 'a', 'b', '') redis.call('ZADD', 'k6', 1, 'a', 2, 'b', 3, '')
redis.call('ZADD', 'lex', 0, 'a', 0, 'b', 0, 'c') redis.call('RPUSH', 'list', '3', '1', '2')
redis.call('SADD', 'set', '3', '1')
redis.call('ZADD', 'zset', 3, '3', 1, '1') redis.call('XADD', 'x', '1-1', 'f', 'v')
redis.call('XADD', 'x', '2-1', '', '')
redis.call('XGROUP', 'CREATE', 'x', 'g', '0')
redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', 1, 'STREAMS', 'x', '>')
redis.call('GEOADD', 'geo', 13.36, 38.11, 'p1', 15.08, 37.5, 'p2') redis.call('PFADD', 'hll', 'a', 'b')
return 'created'`

// groupKeys is the key of the right type for each group of commands.
var groupKeys = map[string]string{
	"strings": "k1", "bits": "k2", "hyperloglogs": "hll", "hashes": "k4", "lists": "k3", "sets": "k5", "zsets": "k6",
	"streams": "x", "groups": "x", "geo": "geo", "keys": "k2", "sort": "k3",
}

// dumpKeysScript prints the keys and values of both databases on one line. Of a TTL it prints only whether there is
// one, since the time left differs between two runs.
const dumpKeysScript = `
local function sorted(list, step)
	local items = {}
	for i = 1, #list, step do items[#items + 1] = list[i] .. '=' .. (step == 2 and list[i + 1] or '') end
	table.sort(items)
	return table.concat(items, ',')
end
local look = {
	string = function(k) return redis.call('GET', k) end,
	list = function(k) return table.concat(redis.call('LRANGE', k, 0, -1), ',') end,
	hash = function(k) return sorted(redis.call('HGETALL', k), 2) end,
	set = function(k) return sorted(redis.call('SMEMBERS', k), 1) end,
	zset = function(k) return table.concat(redis.call('ZRANGE', k, 0, -1, 'WITHSCORES'), ',') end,
	stream = function(k)
		return cjson.encode(redis.call('XRANGE', k, '-', '+')) .. cjson.encode(redis.call('XINFO', 'GROUPS', k))
	end,
}
local out = {}
for db = 0, 1 do
	redis.call('SELECT', db)
	local keys = redis.call('KEYS', '*')
	table.sort(keys)
	for _, k in ipairs(keys) do
		local kind = redis.call('TYPE', k).ok
		local ttl = redis.call('PTTL', k) > 0 and ' with ttl' or ''
		out[#out + 1] = db .. ' ' .. k .. ' ' .. kind .. ' ' .. look[kind](k) .. ttl
	end
end
return table.concat(out, '\n')`

// testKeyArguments draws the keys of commands from those that createKeysScript creates.
type testKeyArguments struct {
	*generator
	key string // chosen most often
}

func (w testKeyArguments) argument(name string) string {
	if name == "key" && w.chance(70) {
		return w.key
	}
	for range 20 {
		if word := w.generator.argument(name); word != "" && len(word) < 2000 {
			return word
		}
	}
	return "x"
}

// allTemplateCommands expands each template some times.
func allTemplateCommands(times int) (commands [][]string) {
	rnd := rand.New(rand.NewPCG(3, 12))
	expand := func(key string, templates []template) {
		g := &generator{rnd: rnd, from: commandGroups, preferred: -1, used: map[template]int{}}
		for _, f := range templates {
			for range times {
				commands = append(commands, f.expand(rnd, testKeyArguments{g, key}))
			}
		}
	}
	for _, f := range commandGroups {
		key := groupKeys[f.name]
		if key == "" {
			key = "k1"
		}
		expand(key, f.templates)
	}
	return append(commands, splitACLCommands()...)
}

// withSubstitutes returns a command with each of its arguments replaced in turn.
func withSubstitutes(args, by []string) (all [][]string) {
	for i := 1; i < len(args); i++ {
		for _, substitute := range by {
			command := slices.Clone(args)
			command[i] = substitute
			all = append(all, command)
		}
	}
	return all
}

// unfit reports whether a command cannot be compared here: it closes the connection, blocks, or depends on time.
func unfit(args []string) bool {
	switch strings.ToUpper(args[0]) {
	case "QUIT", "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "DEBUG":
		return true
	case "MIGRATE": // the key with an empty name exists, so it would connect; how that fails depends on time
		return slices.Contains(args[6:], "") || !slices.Contains(args, "KEYS") && args[3] == ""
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE":
		return len(args) > 2 // each channel has a reply
	}
	return false
}

// An argument that is empty, 0, or of another kind has the same effect and reply as in Redis.
func TestArgumentSubstitution(t *testing.T) {
	times := 1
	if testenv.Long() {
		times = 6
	}
	var commands [][]string
	for _, args := range allTemplateCommands(times) {
		commands = append(commands, withSubstitutes(args, substitutes)...)
	}
	for _, args := range splitAdminCommands() {
		commands = append(commands, withSubstitutes(args, adminSubstitutes)...)
	}
	commands = slices.DeleteFunc(commands, unfit)
	ref, target := startReference(t), startTarget(t)
	d := newDifferences(t, "substitution")
	defer d.end()
	for part := range slices.Chunk(commands, 200) {
		want, got := runOnTestKeys(t, ref, part), runOnTestKeys(t, target, part)
		for i, args := range part {
			reply, keys := commandsPerTest*i+1, commandsPerTest*i+commandsPerTest-1
			theirs, same := maskPerRun(string(want[reply].raw)), maskPerRun(string(got[reply].raw))
			if sameReply(args, nil, want[reply], got[reply]) {
				theirs, same = "the same", "the same"
			}
			if alike(want[keys].text, got[keys].text) {
				d.compare(quoteArgs(args), readable(theirs), readable(same))
				continue
			}
			d.compare(quoteArgs(args), readable(theirs+"\n"+want[keys].text), readable(same+"\n"+got[keys].text))
		}
	}
}

// restoreSettings sets the parameters again that some of the commands change.
var restoreSettings = strings.Fields("CONFIG SET hll-sparse-max-bytes 3000 maxmemory 0 timeout 0 maxclients 10000 " +
	"hash-max-listpack-entries 512 zset-max-listpack-value 64 slowlog-log-slower-than 10000 notify-keyspace-events K")

// commandsPerTest is the number of commands sent for each: createKeysScript, the command, RESET, restoreSettings,
// dumpKeysScript.
const commandsPerTest = 5

// runOnTestKeys runs each command on new keys.
func runOnTestKeys(t *testing.T, address string, commands [][]string) []reply {
	t.Helper()
	c := dial(t, address)
	defer c.conn.Close()
	var all [][]string
	for _, args := range commands {
		all = append(all, []string{"EVAL", createKeysScript, "0"}, args, []string{"RESET"}, restoreSettings,
			[]string{"EVAL", dumpKeysScript, "0"})
	}
	replies, err := c.pipeline(all)
	if err != nil {
		at := len(replies) / commandsPerTest
		require.NoError(t, err, "%s: after %q or %q", address, commands[max(0, at-1)], commands[at])
	}
	return replies
}

// splitAdminCommands returns the arguments of each command.
func splitAdminCommands() (commands [][]string) {
	for _, line := range adminCommands {
		for _, f := range strings.Split(line, "|") {
			commands = append(commands, strings.Fields(f))
		}
	}
	return commands
}
