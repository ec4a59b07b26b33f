package admin_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestClient_Name(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Want(
		"CLIENT ID", "1",
		"CLIENT GETNAME", "nil",
		"CLIENT SETNAME joe", "OK",
		"CLIENT GETNAME", `"joe"`,
		"CLIENT SETNAME jo\x7f", "ERR Client names cannot contain spaces, newlines or special characters.",
		"HELLO 2 SETNAME jim BAD", "ERR Syntax error in HELLO option 'BAD'",
		"CLIENT GETNAME", `"joe"`,
		"CLIENT SETNAME ''", "OK",
		"CLIENT GETNAME", "nil",
		"CLIENT SETNAME joe", "OK",
		"RESET", "RESET",
		"CLIENT GETNAME", "nil",
		"CLIENT GETREDIR", "-1",
		"CLIENT ID x", "ERR wrong number of arguments for 'client|id' command",
		"CLIENT", "ERR wrong number of arguments for 'client' command",
		"CLIENT FOO x", "ERR unknown subcommand 'FOO'. Try CLIENT HELP.",
	)
}

func TestClient_SetInfo(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Want(
		"CLIENT SETINFO LIB-NAME redisson", "OK",
		"CLIENT SETINFO lib-ver 3.50.0", "OK",
		"CLIENT SETINFO lib-size 1", "ERR Unrecognized option 'lib-size'",
	)
	require.Equal(t, "ERR lib-name cannot contain spaces, newlines or special characters.",
		c.DoArgs([]byte("CLIENT"), []byte("SETINFO"), []byte("lib-name"), []byte("a b")))
	require.Contains(t, c.Do("CLIENT INFO"), "lib-name=redisson lib-ver=3.50.0")
}

func TestClient_Reply(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Want(
		"CLIENT REPLY SKIP", "",
		"PING", "",
		"PING", "PONG",
		"CLIENT REPLY OFF", "",
		"CLIENT REPLY SKIP", "",
		"SET k v", "",
		"NOSUCH", "",
		"CLIENT REPLY ON", "OK",
		"GET k", `"v"`,
		"CLIENT REPLY MAYBE", "ERR syntax error",
	)
}

func TestClient_Info_Line(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	clock.Advance(90 * time.Second)
	c.Do("SELECT 3")
	clock.Advance(5 * time.Second)
	require.Equal(t, `"id=1 addr=127.0.0.1:50001 laddr=127.0.0.1:6379 fd=-1 name= age=95 idle=5 flags=N db=3 sub=0 `+
		`psub=0 ssub=0 multi=-1 watch=0 `+
		`qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem=0 tot-mem=0 events=r cmd=select `+
		`user=default redir=-1 `+
		`resp=2 lib-name= lib-ver= io-thread=0 tot-net-in=0 tot-net-out=0 tot-cmds=0\n"`,
		fmt.Sprintf("%q", c.Session.Describe(clock.Now(), new(command.Call))))
	require.Contains(t, c.Do("CLIENT INFO"), " age=95 idle=0 ")
	require.Contains(t, c.Do("CLIENT INFO"), " cmd=client|info ")
	c.Do("HELLO 3")
	require.Contains(t, string(c.Session.Out), "%7\r\n")
	c.Do("CLIENT INFO")
	require.Regexp(t, `^=\d+\r\ntxt:id=1 .* resp=3 `, string(c.Session.Out))
}

func TestClient_List_Flags(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 4)
	clients[0].Want("CLIENT NO-EVICT ON", "OK", "CLIENT NO-TOUCH on", "OK", "CLIENT NO-TOUCH maybe", "ERR syntax error")
	clients[1].Want("WATCH k", "OK", "MULTI", "OK", "PING", "QUEUED", "SET k v", "QUEUED")
	clients[2].Do("SUBSCRIBE a b")
	clients[3].Want("SET k v", "OK")
	list := clients[3].Do("CLIENT LIST")
	require.Contains(t, list, "id=1 addr=127.0.0.1:50001 laddr=127.0.0.1:6379 fd=-1 name= age=0 idle=0 flags=eT ")
	require.Contains(t, list, " flags=xd db=0 sub=0 psub=0 ssub=0 multi=2 ")
	require.Contains(t, list, " flags=P db=0 sub=2 psub=0 ssub=0 multi=-1 ")
	clients[1].Want("EXEC", "nil-array")
	require.NotContains(t, clients[3].Do("CLIENT LIST"), "flags=xd")
	clients[0].Want("CLIENT NO-EVICT OFF", "OK")
	require.Contains(t, clients[3].Do("CLIENT LIST ID 1"), "flags=T ")
}

func TestClient_List_Filters(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 3)
	clients[1].Do("PSUBSCRIBE a*")
	c := clients[0]
	require.Regexp(t, `^"id=3 .*\\nid=1 .*\\n"$`, c.Do("CLIENT LIST ID 3 99 1"))
	require.Regexp(t, `^"id=1 .*\\nid=3 .*\\n"$`, c.Do("CLIENT LIST TYPE normal"))
	require.Regexp(t, `^"id=2 [^\\]*\\n"$`, c.Do("CLIENT LIST TYPE PubSub"))
	c.Want(
		"CLIENT LIST TYPE replica", `""`,
		"CLIENT LIST TYPE nobody", "ERR Unknown client type 'nobody'",
		"CLIENT LIST TYPE", "ERR syntax error",
		"CLIENT LIST TYPE normal x", "ERR syntax error",
		"CLIENT LIST ID", "ERR syntax error",
		"CLIENT LIST ID 1 x", "ERR Invalid client ID",
		"CLIENT LIST ID 0", `""`,
		"CLIENT LIST FOO BAR", "ERR syntax error",
	)
}

func TestClient_Kill(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 5)
	c := clients[0]
	clients[4].Do("SUBSCRIBE a")
	c.Want(
		"CLIENT KILL 127.0.0.1:50002", "OK",
		"CLIENT KILL 127.0.0.1:50002", "ERR No such client",
		"CLIENT KILL ID 3", "1",
		"CLIENT KILL ID 3", "0",
		"CLIENT KILL ID 1", "0",
		"CLIENT KILL LADDR 127.0.0.1:1", "0",
		"CLIENT KILL TYPE pubsub ADDR 127.0.0.1:50004", "0",
		"CLIENT KILL TYPE pubsub", "1",
		"CLIENT KILL USER default LADDR 127.0.0.1:6379", "1",
	)
	for i, client := range clients {
		client.Session.Serve([][]byte{[]byte("SET"), []byte("k"), fmt.Append(nil, i)})
		require.Equal(t, i > 0, client.Session.Closing, "client %d", i+1)
	}
	c.Want("GET k", `"0"`, "CLIENT KILL ID 1 SKIPME no", "1")
	require.True(t, c.Session.Closing)
}

func TestClient_Kill_Errors(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.Connect(t, env, 1)[0].Want(
		"CLIENT KILL", "ERR wrong number of arguments for 'client|kill' command",
		"CLIENT KILL ''", "ERR No such client",
		"CLIENT KILL ID x", "ERR client-id should be greater than 0",
		"CLIENT KILL ID 0", "ERR client-id should be greater than 0",
		"CLIENT KILL ID 9 SKIPME", "ERR syntax error",
		"CLIENT KILL ID 9 SKIPME maybe", "ERR syntax error",
		"CLIENT KILL TYPE nobody", "ERR Unknown client type 'nobody'",
		"CLIENT KILL USER joe", "ERR No such user 'joe'",
		"CLIENT KILL FOO bar", "ERR syntax error",
	)
}

func TestClient_Unblock(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.Connect(t, env, 1)[0].Want(
		"CLIENT UNBLOCK 1", "0",
		"CLIENT UNBLOCK 1 error", "0",
		"CLIENT UNBLOCK x", "ERR value is not an integer or out of range",
		"CLIENT UNBLOCK 1 soon", "ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR",
		"CLIENT UNBLOCK 1 ERROR x", "ERR unknown subcommand or wrong number of arguments for 'UNBLOCK'. Try CLIENT "+
			"HELP.",
	)
}
