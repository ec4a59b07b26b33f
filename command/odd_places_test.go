package command_test

import (
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// Commands that change the mode of a connection, within MULTI and in other places where they are rare.
func TestModes_InOddPlaces(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"MULTI", "OK", "SSUBSCRIBE c", "QUEUED", "SCRIPT DEBUG NO", "QUEUED",
		"EXEC", "[ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client ERR SCRIPT DEBUG must be called outside a "+
			"pipeline]",
		"CLIENT PAUSE 0", "OK", "SET k v", "OK",
		"MULTI", "OK", "MODULE LOAD m",
		`ERR MODULE command not allowed. If the enable-module-command option is set to "local", `+"you can run "+
			"it from a local connection, otherwise you need to set this option in the configuration file, "+"and "+
			"then restart the server.", "EXEC",
		"EXECABORT Transaction discarded because of previous errors.",
	)
	commandtest.NewClient(t, env).Want("MONITOR", "OK", "GET k", "ERR Replica can't interact with the keyspace",
		"DBSIZE", "ERR Replica can't interact with the keyspace", "PING", "PONG")
}

// An empty word, or one with a NUL, is no missing one, and stands for what Redis takes it for.
func TestWords_EmptyOrWithNUL(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want(
		"ZADD z 1 a", "1", "ZCOUNT z \x00x 1", "1", "ZRANGEBYSCORE z (\x00 1\x00x", `["a"]`,
		"ACL SETUSER u ''", "OK", "ACL SETUSER u (", "ERR Unmatched parenthesis in acl selector starting at '('.",
		"COMMAND LIST FILTERBY ACLCAT ''", "[]",
		"CONFIG SET maxmemory \x00x", "OK",
		"CLIENT TRACKING x REDIRECT 0", "ERR The client ID you want redirect to does not exist",
		"LOLWUT VERSION x", "ERR value is not an integer or out of range",
		"REPLICAOF h -1", "ERR Invalid master port", "REPLICAOF h 65536", "ERR Invalid master port",
	)
}

// A pause of no time begins none, but widens one that is on.
func TestPause_OfNoTime(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("CLIENT PAUSE 0", "OK", "SET k v", "OK", "CLIENT PAUSE 100000 WRITE", "OK",
		"GET k", `"v"`, "CLIENT PAUSE 0", "OK")
	require.Equal(t, command.PauseAll, env.Paused())
}
