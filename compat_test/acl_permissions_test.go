package compat

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// ruleSets is the number of users, each with other rules, that call every command of aclCommands.
const ruleSets = 100

// aclCommands name keys and channels in every way that commands have, or none. @ stands for a space, alone for an empty
// argument.
var aclCommands = strings.Split(strings.TrimSpace(`
SORT a:l|SORT a:l BY nosort|SORT a:l BY w*|SORT a:l GET #|SORT a:l BY w* GET w*|SORT a:l STORE b:l
SORT a:l GET w* STORE b:l|SORT_RO a:l|SORT_RO a:l BY w*|SORT_RO a:l GET w*|GEORADIUS a:g 0 0 1 km
GEORADIUS a:g 0 0 1 km STORE b:g|GEORADIUS_RO a:g 0 0 1 km|GEOSEARCHSTORE b:g a:g FROMLONLAT 0 0 BYRADIUS 1 km
GEORADIUSBYMEMBER a:g m 1 km STOREDIST b:g|ZUNIONSTORE b:z 2 a:z b:y|ZINTER 2 a:z b:z|ZDIFFSTORE a:z 1 b:z
ZRANGESTORE b:z a:z 0 1|COPY a:k b:k|RENAME a:none b:k|RENAMENX a:none b:k|EVAL return 0
EVAL return@redis.call('get','b:k') 0|EVAL return@redis.call('set','a:k',1) 1 a:k
EVAL return@redis.pcall('subscribe','a:c') 0|EVAL return@redis.call('publish','b:c',1) 0
EVAL return@redis.acl_check_cmd('get','b:k') 0|EVAL return@redis.call('sort','a:l','by','w*') 1 a:l
EVAL_RO return@redis.call('get','a:k') 1 a:k|EVAL_RO return@1 1 b:k|FCALL none 1 a:k|FCALL_RO none 1 b:k
FUNCTION LIST|FUNCTION STATS|SCRIPT EXISTS 0|EVALSHA 0 1 a:k|MIGRATE 127.0.0.1 1 a:k 0 1
MIGRATE 127.0.0.1 1 @ 0 1 KEYS a:k b:k|KEYS a:*|SCAN 0|RANDOMKEY|DBSIZE|XREAD STREAMS a:x b:x 0 0
XADD a:x NOMKSTREAM * f v|XREADGROUP GROUP g c STREAMS a:x 0|XREADGROUP GROUP g c STREAMS a:x b:x > >
XGROUP CREATE a:x g 0|XINFO STREAM a:x|XTRIM b:x MAXLEN 1|OBJECT ENCODING a:k|OBJECT HELP|MEMORY USAGE a:k
MEMORY DOCTOR|BITOP AND b:k a:k a:j|LMPOP 2 a:l b:l LEFT|ZMPOP 1 b:z MIN|SINTERCARD 1 a:s|PUBLISH a:c m
PUBLISH b:c m|SPUBLISH a:c m|SPUBLISH b:c m|SET a:k 1|SET a:k 1 GET|SET b:k 1 NX GET|GETEX a:k|GETEX a:k EX 9
GETDEL a:k|GET a:k|GET b:k|MGET a:k b:k|MSET a:k 1 b:k 2|GETSET a:k 1|INCR a:n|APPEND a:k x|STRLEN b:k
EXISTS a:k b:k|TYPE a:k|TTL b:k|DEL a:k b:k|UNLINK b:k|BITFIELD a:k GET u8 0|BITFIELD a:k SET u8 0 1
BITFIELD a:k GET u8 0 INCRBY u8 0 1|BITFIELD b:k OVERFLOW SAT|BITFIELD_RO a:k GET u8 0|LMOVE a:l b:l LEFT RIGHT
RPOPLPUSH a:l b:l|SMOVE a:s b:s m|SDIFFSTORE a:s b:s|PFCOUNT a:p b:p|PFMERGE a:p b:p|EXPIRE a:k 9|PERSIST b:k
TOUCH a:k|DUMP a:k|RESTORE b:k 0 x|LCS a:k b:k|HGET a:h f|HSET b:h f v|WATCH a:k|CONFIG GET maxmemory|CLIENT ID|PING
SELECT 0|ACL WHOAMI|COMMAND COUNT|SUBSCRIBE a:c|SUBSCRIBE a:c b:c|PSUBSCRIBE a:*|PSUBSCRIBE a:c|PSUBSCRIBE *
SSUBSCRIBE a:c|UNSUBSCRIBE x
`), "\n")

// splitACLCommands returns the arguments of each command.
func splitACLCommands() (commands [][]string) {
	for _, command := range strings.Split(strings.Join(aclCommands, "|"), "|") {
		words := strings.Fields(command)
		for i, word := range words {
			if words[i] = strings.ReplaceAll(word, "@", " "); word == "@" {
				words[i] = ""
			}
		}
		commands = append(commands, words)
	}
	return commands
}

var (
	keyRules     = strings.Fields("~a:* ~b:* ~a:k %R~a:* %W~a:* %R~b:* %W~b:* %R~* %W~* ~a:[kl] %RW~b:? %R~** ~w*")
	channelRules = strings.Fields("&a:* &b:* &a:c &?:c")
	commandRules = strings.Fields(
		"+@all +@read +@write +@keyspace +@pubsub +@scripting +@sortedset +@fast -@dangerous -@slow " +
			"-@write +get -get +set +sort -sort_ro +eval -eval +object|encoding -object|help +memory|usage " +
			"-function|list +config|get +xgroup|create -publish +psubscribe +client|id -@stream +@geo -bitop " +
			"+getex +bitfield -@list +migrate +acl|whoami +select|0 -copy +fcall")
)

// someRules draws rules for keys, channels and commands: those of one selector.
func someRules(rnd *rand.Rand) (rules []string) {
	draw := func(from []string, most int) {
		for range rnd.IntN(most + 1) {
			rules = append(rules, from[rnd.IntN(len(from))])
		}
	}
	if rnd.IntN(3) > 0 {
		rules = append(rules, "+@all")
	}
	draw(commandRules, 6)
	if rnd.IntN(8) == 0 {
		rules = append(rules, "allkeys")
	} else {
		draw(keyRules, 4)
	}
	if rnd.IntN(6) == 0 {
		return append(rules, "allchannels")
	}
	rules = append(rules, "resetchannels")
	draw(channelRules, 2)
	return rules
}

// someUser draws the rules of a user, with up to two selectors.
func someUser(rnd *rand.Rand) []string {
	rules := append([]string{"on", "nopass"}, someRules(rnd)...)
	for range rnd.IntN(3) {
		rules = append(rules, "("+strings.Join(someRules(rnd), " ")+")")
	}
	return rules
}

// permission returns the error if a reply denies a call to the user, and "allowed" if not.
func permission(r reply) string {
	text := r.String()
	for _, sign := range []string{"NOPERM", "denied", "The user executing"} {
		if strings.Contains(text, sign) {
			return text
		}
	}
	return "allowed"
}

// permissions tests whether a user may call the commands: by ACL DRYRUN, and by calling them.
func permissions(t *testing.T, addr, user string, rules []string, commands [][]string) (result []string) {
	admin := dial(t, addr)
	defer admin.conn.Close()
	set := admin.do(t, append([]string{"ACL", "SETUSER", user}, rules...)...).String()
	require.Equal(t, "+OK", set, "%s: %v", addr, rules)
	var dryRuns [][]string
	for _, args := range commands {
		dryRuns = append(dryRuns, append([]string{"ACL", "DRYRUN", user}, args...))
	}
	replies, err := admin.pipeline(dryRuns)
	require.NoError(t, err)
	for _, r := range replies {
		result = append(result, r.String())
	}
	c := dial(t, addr)
	defer func() { c.conn.Close() }()
	require.Equal(t, "+OK", c.do(t, "AUTH", user, "p").String())
	for _, args := range commands {
		result = append(result, permission(c.do(t, args...)))
		if strings.Contains(args[0], "SUBSCRIBE") { // further replies are dropped with the connection
			c.conn.Close()
			c = dial(t, addr)
			require.Equal(t, "+OK", c.do(t, "AUTH", user, "p").String())
		}
	}
	return result
}

// With any rules, minilockd allows and denies the same calls as Redis, with the same errors.
func TestACL_Permissions(t *testing.T) {
	ref, target := startReference(t), startTarget(t)
	rnd, commands := rand.New(rand.NewPCG(24, 7)), splitACLCommands()
	denied := 0
	for i := range ruleSets {
		rules, user := someUser(rnd), fmt.Sprint("u", i)
		want := permissions(t, ref, user, rules, commands)
		got := permissions(t, target, user, rules, commands)
		for j := range want {
			if want[j] != "allowed" && want[j] != "+OK" {
				denied++
			}
			if want[j] != got[j] {
				t.Errorf("%q of %v:\n   redis: %s\n  target: %s", commands[j%len(commands)], rules, want[j], got[j])
			}
		}
	}
	all := 2 * ruleSets * len(commands)
	require.Greater(t, denied, all/10, "of %d calls", all)
	require.Less(t, denied, all*9/10, "of %d calls", all)
}
