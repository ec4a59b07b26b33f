package admin_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestCommand_Info(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	const hget = `["hget" 3 [readonly fast] 1 1 1 [@read @hash @fast] [] [["flags" [RO access] "begin_search" ` +
		`["type" "index" "spec" ["index" 1]] ` +
		`"find_keys" ["type" "range" "spec" ["lastkey" 0 "keystep" 1 "limit" 0]]]] []]`
	const clientID = `["client|id" 2 [noscript loading stale] 0 0 0 [@slow @connection] [] [] []]`
	c.Want(
		"COMMAND INFO hget", "["+hget+"]",
		"COMMAND INFO HGET nosuch client|ID client|nosuch nosuch|id", "["+hget+" nil "+clientID+" nil nil]",
		"COMMAND INFO role", `[["role" 1 [noscript loading stale fast] 0 0 0 [@admin @fast @dangerous] [] [] []]]`,
		"COMMAND INFO command|count", `[["command|count" 2 [loading stale] 0 0 0 [@slow @connection] [] [] []]]`,
	)
	require.Contains(t, c.Do("COMMAND INFO client"), `["client" -2 [] 0 0 0 [@slow] [] [] [[`)
	require.Contains(t, c.Do("COMMAND INFO client"), clientID)
	require.Contains(t, c.Do("COMMAND"), hget)
	require.Equal(t, c.Do("COMMAND"), c.Do("COMMAND INFO"))
	c.Do("HELLO 3")
	c.Do("COMMAND INFO hget")
	require.Contains(t, string(c.Session.Out), "~2\r\n+readonly\r\n+fast\r\n")
	require.Contains(t, string(c.Session.Out),
		"%3\r\n$5\r\nflags\r\n~2\r\n+RO\r\n+access\r\n$12\r\nbegin_search\r\n%2\r\n")
}

func TestCommand_KeySpecs(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	for command, want := range map[string]string{
		"hdel": `[["flags" [RW delete] "begin_search" ["type" "index" "spec" ["index" 1]] "find_keys" ["type" ` +
			`"range" "spec" ["lastkey" 0 "keystep" 1 "limit" 0]]]]`,
		"eval": `[["notes" "We cannot tell how the keys will be used so we assume the worst, RW and UPDATE" "flags" ` +
			`[RW access update] "begin_search" ["type" "index" "spec" ["index" 2]] "find_keys" ["type" "keynum" ` +
			`"spec" ["keynumidx" 0 "firstkey" 1 "keystep" 1]]]]`,
		"rename": `[["flags" [RW access delete] "begin_search" ["type" "index" "spec" ["index" 1]] "find_keys" ` +
			`["type" "range" "spec" ["lastkey" 0 "keystep" 1 "limit" 0]]] ` +
			`["flags" [OW update] "begin_search" ["type" "index" "spec" ["index" 2]] "find_keys" ["type" "range" ` +
			`"spec" ["lastkey" 0 "keystep" 1 "limit" 0]]]]`,
		"memory|usage": `[["flags" [RO] "begin_search" ["type" "index" "spec" ["index" 2]] "find_keys" ["type" ` +
			`"range" "spec" ["lastkey" 0 "keystep" 1 "limit" 0]]]]`,
		"echo":   `[]`,
		"lolwut": `[]`,
	} {
		require.Contains(t, c.Do("COMMAND INFO "+command), "[] "+want+" []]", command)
	}
	require.Contains(t, c.Do("COMMAND INFO del"),
		`["request_policy:multi_shard" "response_policy:agg_sum"] [["flags" [RM delete]`)
}

func TestCommand_GetKeysAndFlags_Options(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"COMMAND GETKEYSANDFLAGS set k v", `[["k" [OW update]]]`,
		"COMMAND GETKEYSANDFLAGS set k v XX GET", `[["k" [RW access update]]]`,
		"COMMAND GETKEYSANDFLAGS bitfield k GET u8 0 OVERFLOW FAIL GET u8 8", `[["k" [RO access]]]`,
		"COMMAND GETKEYSANDFLAGS bitfield k GET u8 0 SET u8 0 1", `[["k" [RW access update]]]`,
		"COMMAND GETKEYSANDFLAGS mset k v l w", `[["k" [OW update]] ["l" [OW update]]]`,
		"COMMAND GETKEYSANDFLAGS lmove k l left right", `[["k" [RW access delete]] ["l" [RW insert]]]`,
		"COMMAND GETKEYSANDFLAGS zunionstore k 2 l m", `[["k" [OW update]] ["l" [RO access]] ["m" [RO access]]]`,
		"COMMAND GETKEYSANDFLAGS memory usage k", `[["k" [RO]]]`,
	)
}

func TestCommand_Docs(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"COMMAND DOCS hset", `["hset" ["summary" "Creates or modifies the value of a field in a hash." "since" `+
			`"2.0.0" "group" "hash" `+
			`"arguments" [["name" "key" "type" "key" "key_spec_index" 0] ["name" "field_value" "type" "block" `+
			`"flags" [multiple] `+
			`"arguments" [["name" "field" "type" "string"] ["name" "value" "type" "string"]]]]]]`,
		"COMMAND DOCS nosuch CLIENT|REPLY",
		`["client|reply" ["summary" "Turns replies off and on, or skips one." "since" "3.2.0" `+
			`"group" "connection" "arguments" [["name" "on_off_skip" "type" "oneof" "arguments" [["name" "on" "type" `+
			`"pure-token" "token" "ON"] `+
			`["name" "off" "type" "pure-token" "token" "OFF"] ["name" "skip" "type" "pure-token" "token" "SKIP"]]]]]]`,
		"COMMAND DOCS slowlog", `["slowlog" ["summary" "Commands about calls that took long." "since" "2.2.12" `+
			`"group" "server" "subcommands" [`+
			`"slowlog|get" ["summary" "Shows the latest slow calls." "since" "2.2.12" "group" "server" "arguments" `+
			`[["name" "count" "type" "integer" `+
			`"flags" [optional]]]] "slowlog|help" ["summary" "Lists the subcommands." "since" "6.2.0" "group" `+
			`"server"] "slowlog|len" ["summary" `+
			`"Counts the slow calls that are kept." "since" "2.2.12" "group" "server"] "slowlog|reset" ["summary" `+
			`"Forgets the slow calls." `+
			`"since" "2.2.12" "group" "server"]]]]`,
		"COMMAND DOCS nosuch", "[]",
	)
}

func TestCommand_GetKeys(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"COMMAND GETKEYS HGET h f", `["h"]`,
		"COMMAND GETKEYS mset a 1 b 2", `["a" "b"]`,
		"COMMAND GETKEYS eval x 2 a b c", `["a" "b"]`,
		"COMMAND GETKEYS eval x 0 c", "[]",
		"COMMAND GETKEYS memory usage a", `["a"]`,
		"COMMAND GETKEYS hget h", "ERR Invalid number of arguments specified for command",
		"COMMAND GETKEYS nosuch a", "ERR Invalid command specified",
		"COMMAND GETKEYS client nosuch", "ERR Invalid command specified",
		"COMMAND GETKEYS client id", "ERR The command has no key arguments",
		"COMMAND GETKEYS ping", "ERR The command has no key arguments",
		"COMMAND GETKEYSANDFLAGS hget h f", `[["h" [RO access]]]`,
		"COMMAND GETKEYSANDFLAGS rename a b", `[["a" [RW access delete]] ["b" [OW update]]]`,
		"COMMAND GETKEYSANDFLAGS eval x 1 a", `[["a" [RW access update]]]`,
		"COMMAND GETKEYSANDFLAGS ping a", "ERR The command has no key arguments",
	)
}

func TestCommand_List(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want(
		"COMMAND LIST FILTERBY PATTERN SLOWLOG*",
		`["slowlog" "slowlog|get" "slowlog|help" "slowlog|len" "slowlog|reset"]`,
		"COMMAND LIST FILTERBY aclcat transaction", `["discard" "exec" "multi" "unwatch" "watch"]`,
		"COMMAND LIST FILTERBY aclcat nosuch", "[]",
		"COMMAND LIST FILTERBY MODULE json", "[]",
		"COMMAND LIST FILTERBY", "ERR syntax error",
		"COMMAND LIST FILTERBY FOO bar", "ERR syntax error",
		"COMMAND LIST FILTERBY PATTERN a b", "ERR syntax error",
		"COMMAND LIST FOO", "ERR syntax error",
		"COMMAND NOSUCH", "ERR unknown subcommand 'NOSUCH'. Try COMMAND HELP.",
	)
	all := strings.Fields(strings.Trim(c.Do("COMMAND LIST"), "[]"))
	require.Contains(t, all, `"client|id"`)
	require.Contains(t, all, `"client"`)
	require.Equal(t, c.Do("COMMAND COUNT"), c.Do("COMMAND COUNT"))
}
