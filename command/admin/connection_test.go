package admin_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestConnection_Hello(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want(
		"PING", "PONG",
		"PING a", `"a"`,
		"PING a b", "ERR wrong number of arguments for 'ping' command",
		"ECHO a", `"a"`,
		"SELECT 15", "OK",
		"SELECT 16", "ERR DB index is out of range",
		"SELECT -1", "ERR DB index is out of range",
		"SELECT x", "ERR value is not an integer or out of range",
		"HELLO 2", `["server" "redis" "version" "8.2.3" "proto" 2 "id" 1 "mode" "standalone" "role" "master" `+
			`"modules" []]`,
		"HELLO 4", "NOPROTO unsupported protocol version",
		"HELLO x", "ERR Protocol version is not an integer or out of range",
		"HELLO 2 SETNAME", "ERR Syntax error in HELLO option 'SETNAME'",
		"HELLO 2 AUTH joe x", "WRONGPASS invalid username-password pair or user is disabled.",
		"AUTH x", "ERR AUTH <password> called without any password configured for the default user. Are you sure "+
			"your configuration is correct?",
		"AUTH default x", "OK",
		"AUTH joe x", "WRONGPASS invalid username-password pair or user is disabled.",
		"AUTH a b c", "ERR syntax error",
		"QUIT", "OK",
	)
	require.True(t, c.Session.Closing)
}

func TestConnection_Password(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	early := commandtest.NewClient(t, env)
	early.Want("CONFIG SET requirepass secret", "OK", "PING", "PONG")
	c := commandtest.NewClient(t, env)
	const unauthenticated = "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO " +
		"<proto> AUTH <user> <pass> " +
		"option can be used to authenticate the client and select the RESP protocol version at the same time"
	c.Want(
		"PING", "NOAUTH Authentication required.",
		"NOSUCH", "ERR unknown command 'NOSUCH', with args beginning with: ",
		"GET", "ERR wrong number of arguments for 'get' command",
		"HELLO 3", unauthenticated,
		"HELLO 4", "NOPROTO unsupported protocol version",
		"AUTH x", "WRONGPASS invalid username-password pair or user is disabled.",
		"HELLO 2 AUTH default x", "WRONGPASS invalid username-password pair or user is disabled.",
		"AUTH secret", "OK",
		"PING", "PONG",
		"RESET", "RESET",
		"PING", "NOAUTH Authentication required.",
	)
	early.Want("CONFIG SET requirepass ''", "OK")
	c.Want("PING", "PONG")
}

func TestConnection_InSubscribedState(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	const notAllowed = ": only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
	c.Want(
		"SUBSCRIBE a", `["subscribe" "a" 1]`,
		"PING", `["pong" ""]`,
		"PING x", `["pong" "x"]`,
		"GET x", "ERR Can't execute 'get'"+notAllowed,
		"CLIENT ID", "ERR Can't execute 'client|id'"+notAllowed,
		"GET", "ERR wrong number of arguments for 'get' command",
		"RESET", "RESET",
		"PING", "PONG",
	)
}
