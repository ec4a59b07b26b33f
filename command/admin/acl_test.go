package admin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestACL_SetUser_Rules(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	for _, step := range []struct{ rules, want string }{
		{"", "off resetchannels -@all"},
		{"on nopass +get +set ~k*", "on nopass ~k* resetchannels -@all +get +set"},
		{"off nopass >pw", "off #30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c4 resetchannels -@all"},
		{">pw <pw", "off resetchannels -@all"},
		{"resetchannels ~* +@all -config +config|get -@dangerous", "off ~* resetchannels +@all -@dangerous -config"},
		{"+@all -@all +get", "off resetchannels -@all +get"},
		{"+@all -get -set +set", "off resetchannels +@all -get"},
		{"+config -config|set", "off resetchannels -@all +config -config|set"},
		{"allcommands -@write +set", "off resetchannels +@all -@write +set"},
		{"+@all -select +select|0", "off resetchannels +@all -select +select|0"},
		{"+get -@all +@read", "off resetchannels -@all +@read"},
		{"%RW~a %R~b %W~c %W~b &x* &y", "off ~a ~b %W~c resetchannels &x* &y -@all"},
		{"allkeys allchannels allcommands", "off ~* &* +@all"},
		{"~a ~* allkeys ~* &a &* allchannels &*", "off ~* &* -@all"},
		{"%R~* ~b %W~* ~a", "off ~* ~b ~a resetchannels -@all"},
		{"%RW~* %R~a", "off ~* %R~a resetchannels -@all"},
		{"~x resetkeys &y reset", "off sanitize-payload resetchannels -@all"},
		{"(+set ~x* %R~y) (~a +get)", "off resetchannels -@all (~x* %R~y resetchannels -@all +set) (~a resetchannels " +
			"-@all +get)"},
		{"(+get) clearselectors", "off resetchannels -@all"},
		{"skip-sanitize-payload", "off skip-sanitize-payload resetchannels -@all"},
	} {
		c.Do("ACL DELUSER u")
		c.Want("ACL SETUSER u "+step.rules, "OK")
		require.Contains(t, c.Do("ACL LIST"), `"user u `+step.want+`"`, step.rules)
	}
	c.Want("ACL LIST", `["user default on nopass ~* &* +@all" "user u off skip-sanitize-payload resetchannels -@all"]`,
		"ACL USERS", `["default" "u"]`)
}

func TestACL_SetUser_Errors(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	for rule, text := range map[string]string{
		"foo":            "Syntax error",
		"+nosuch":        "Unknown command or category name in ACL",
		"+@nosuch":       "Unknown command or category name in ACL",
		"+config|nosuch": "Unknown command or category name in ACL",
		"+config|get|x":  "Allowing first-arg of a subcommand is not supported",
		"-get|x":         "Unknown command or category name in ACL",
		"+get|x|y":       "Unknown command or category name in ACL",
		"+":              "Unknown command or category name in ACL",
		"%X~a":           "Syntax error",
		"%~a":            "Syntax error",
		"%RR~a":          "Syntax error",
		"(foo)":          "Syntax error",
		"#abc": "The password hash must be exactly 64 characters and contain only lowercase hexadecimal " +
			"characters",
		"!abc": "The password hash must be exactly 64 characters and contain only lowercase hexadecimal " +
			"characters",
		"<nopass": "The password you are trying to remove from the user does not exist",
		"allkeys ~x": "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not " +
			"have any effect. Try 'resetkeys' to start with an empty list of patterns",
		"allchannels &x*": "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does " +
			"not have any effect. Try 'resetchannels' to start with an empty list of channels",
	} {
		words := strings.Fields(rule)
		c.Want("ACL SETUSER u +get "+rule, "ERR Error in ACL SETUSER modifier '"+words[len(words)-1]+"': "+text)
	}
}

const noACLFile = "ERR This Redis instance is not configured to use an ACL file. You may want to specify users via " +
	"the " +
	"ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in order " +
	"to " +
	"store users in the Redis configuration."

func TestACL_Errors(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	c.Want("ACL SETUSER u (+get ~a", "ERR Unmatched parenthesis in acl selector starting at '(+get'.",
		"ACL USERS", `["default"]`,
		"ACL DELUSER default", "ERR The 'default' user cannot be removed",
		"ACL GETUSER nobody", "nil",
		"ACL SETUSER s (+get ~a* &ch)", "OK",
		"ACL GETUSER s", `["flags" ["off"] "passwords" [] "commands" "-@all" "keys" "" "channels" "" `+
			`"selectors" [["commands" "-@all +get" "keys" "~a*" "channels" "&ch"]]]`,
		"ACL GENPASS 0", "ERR ACL GENPASS argument must be the number of bits for the output password, a positive "+
			"number up to 4096",
		"ACL GENPASS x", "ERR value is not an integer or out of range",
		"ACL LOG x", "ERR value is not an integer or out of range",
		"ACL LOAD", noACLFile, "ACL SAVE", noACLFile,
		"ACL DRYRUN nobody get a", "ERR User 'nobody' not found",
		"ACL DRYRUN default nosuch a", "ERR Command 'nosuch' not found",
		"ACL DRYRUN default get", "ERR wrong number of arguments for 'get' command",
	)
	require.Regexp(t, `^"[0-9a-f]{2}"$`, c.Do("ACL GENPASS 5"))
	require.Regexp(t, `^"[0-9a-f]{64}"$`, c.Do("ACL GENPASS"))
	require.Equal(t, "ERR Usernames can't contain spaces or null characters",
		c.DoArgs([]byte("ACL"), []byte("SETUSER"), []byte("a b")))
}

func TestACL_Denied(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	c.Want(
		"ACL SETUSER u on nopass +get +set +eval +acl +select|0 +multi +exec +publish +subscribe +psubscribe ~k* "+
			"%R~r* &ch*", "OK",
		"ACL DRYRUN u get zz", `"This user has no permissions to access the 'zz' key"`,
		"ACL DRYRUN u hget k f", `"This user has no permissions to run the 'hget' command"`,
		"ACL DRYRUN u publish x m", `"This user has no permissions to access the 'x' channel"`,
		"ACL DRYRUN u psubscribe ch1", `"This user has no permissions to access the 'ch1' channel"`,
		"ACL DRYRUN u psubscribe ch*", "OK",
		"AUTH u any", "OK",
		"ACL WHOAMI", `"u"`,
		"SELECT 0", "OK",
		"SELECT 1", "NOPERM this user has no permissions to run the 'select' command",
		"GET zz", "NOPERM this user has no permissions to access one of the keys used as arguments",
		"GET r1", "nil",
		"SET r1 v", "NOPERM this user has no permissions to access one of the keys used as arguments",
		"SET k v", "OK",
		"HGET k f", "NOPERM this user has no permissions to run the 'hget' command",
		"CONFIG GET x", "NOPERM this user has no permissions to run the 'config|get' command",
		"PUBLISH x m", "NOPERM this user has no permissions to access one of the channels used as arguments",
		"PUBLISH ch m", "0",
		"GET", "ERR wrong number of arguments for 'get' command",
		"NOSUCH", "ERR unknown command 'NOSUCH', with args beginning with: ",
		"EVAL return{redis.pcall('get','zz').err} 0",
		`["ERR The user executing the script can't access at least one of the keys mentioned in the command `+
			`arguments"]`,
		"EVAL return{redis.pcall('hget','k','f').err} 0",
		`["ERR The user executing the script can't run this command or subcommand"]`,
		"EVAL return{redis.acl_check_cmd('get','k'),redis.acl_check_cmd('get','z'),redis.call('get','k')} 0",
		`[1 nil "v"]`,
	)
}

func TestACL_Exec(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	clients := commandtest.Connect(t, env, 2)
	admin, c := clients[0], clients[1]
	admin.Want("ACL SETUSER u on nopass +@all ~*", "OK")
	c.Want("AUTH u x", "OK", "MULTI", "OK", "SET a 1", "QUEUED", "GET b", "QUEUED")
	admin.Want("ACL SETUSER u resetkeys ~a", "OK")
	c.Want("EXEC", "[OK NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC "+
		"call. This command is no longer allowed for the following reason: no permission to touch the specified keys]",
		"MULTI", "OK", "GET b", "NOPERM this user has no permissions to access one of the keys used as arguments",
		"EXEC", "EXECABORT Transaction discarded because of previous errors.")
	require.Regexp(t, `^\[\["count" 2 "reason" "key" "context" "multi" "object" "b" "username" "u" "age-seconds" `+
		`"[\d.]+" "client-info" "id=2 .*user=u .*"\]\]$`,
		admin.Do("ACL LOG"))
}

func TestACL_Log(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("AUTH nobody x", "WRONGPASS invalid username-password pair or user is disabled.", "AUTH nobody y",
		"WRONGPASS invalid username-password pair or user is disabled.")
	clock.Advance(90 * time.Second)
	c.Want("AUTH nobody x", "WRONGPASS invalid username-password pair or user is disabled.")
	require.Regexp(t, `^\[\["count" 1 "reason" "auth" "context" "toplevel" "object" "AUTH" "username" "nobody" .*\] `+
		`\["count" 2 .*\]\]$`, c.Do("ACL LOG"))
	require.NotContains(t, c.Do("ACL LOG 1"), `"count" 2`)
	c.Want("CONFIG SET acllog-max-len 0", "OK", "HELLO 2 AUTH x y",
		"WRONGPASS invalid username-password pair or user is disabled.", "ACL LOG", "[]",
		"ACL LOG RESET", "OK")
}

func TestACL_DefaultUser(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	clients := commandtest.Connect(t, env, 2)
	admin := clients[0]
	admin.Want("CONFIG SET requirepass secret", "OK", "ACL SETUSER joe on >pw ~* +@all", "OK")
	require.Contains(t, admin.Do("ACL LIST"),
		`"user default on #2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b ~* &* +@all"`)
	c := commandtest.NewClient(t, env)
	c.Want("GET a", "NOAUTH Authentication required.", "AUTH joe pw", "OK", "GET a", "nil", "RESET", "RESET",
		"GET a", "NOAUTH Authentication required.", "AUTH secret", "OK", "ACL WHOAMI", `"default"`,
		"AUTH default secret", "OK")
	admin.Want("ACL SETUSER default resetpass nopass", "OK")
	commandtest.NewClient(t, env).Want("GET a", "nil")
}

func TestACL_ClosesConnections(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	clients := commandtest.Connect(t, env, 3)
	admin, listener, worker := clients[0], clients[1], clients[2]
	admin.Want("ACL SETUSER u on nopass +@all ~* &a &b", "OK")
	listener.Want("AUTH u x", "OK", "SUBSCRIBE a", `["subscribe" "a" 1]`)
	worker.Want("AUTH u x", "OK")
	admin.Want("ACL SETUSER u resetchannels &a", "OK", "CLIENT KILL USER nobody", "ERR No such user 'nobody'")
	require.False(t, listener.Session.Killed(), "it still may hear what it listens to")
	admin.Want("ACL SETUSER u resetchannels &b", "OK")
	require.True(t, listener.Session.Killed())
	require.False(t, worker.Session.Killed())
	admin.Want("ACL DELUSER u nobody", "1")
	require.True(t, worker.Session.Killed())
}

func TestACL_UnlimitedUsersAreNotChecked(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.0")
	c := commandtest.NewClient(t, env)
	require.True(t, c.Session.User().Unlimited())
	c.Want("ACL SETUSER default -get", "OK")
	require.False(t, c.Session.User().Unlimited())
	c.Want("ACL SETUSER default +get", "OK", "ACL SETUSER u (~* &* +@all)", "OK")
	require.True(t, c.Session.User().Unlimited())
	require.True(t, env.ACL.Get("u").Unlimited())
}
