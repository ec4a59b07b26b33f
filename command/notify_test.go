package command_test

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestNotify_Channels(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 2)
	listener, c := clients[0], clients[1]
	listener.Do("PSUBSCRIBE __key*")
	c.Do("HSET h a 1")
	require.Empty(t, listener.Pushes())

	c.Want("CONFIG SET notify-keyspace-events KEA", "OK", "SELECT 2", "OK", "HSET h a 1", "1", "HDEL h a", "1")
	require.Equal(t, []string{
		`["pmessage" "__key*" "__keyspace@2__:h" "hset"]`, `["pmessage" "__key*" "__keyevent@2__:hset" "h"]`,
		`["pmessage" "__key*" "__keyspace@2__:h" "hdel"]`, `["pmessage" "__key*" "__keyevent@2__:hdel" "h"]`,
		`["pmessage" "__key*" "__keyspace@2__:h" "del"]`, `["pmessage" "__key*" "__keyevent@2__:del" "h"]`,
	}, listener.Pushes())

	c.Want("CONFIG SET notify-keyspace-events Ex", "OK", "HSET h a 1", "1", "PEXPIRE h 100", "1")
	require.Empty(t, listener.Pushes())
	clock.Advance(100 * time.Millisecond)
	env.Store.ExpireDue()
	require.Equal(t, []string{`["pmessage" "__key*" "__keyevent@2__:expired" "h"]`}, listener.Pushes())

	c.Want("CONFIG SET notify-keyspace-events A", "OK", "HSET h a 1", "1", "CONFIG SET notify-keyspace-events ''", "OK",
		"DEL h", "1")
	require.Empty(t, listener.Pushes())
}

func TestNotify_OrderWithinExec(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 2)
	listener, c := clients[0], clients[1]
	c.Do("CONFIG SET notify-keyspace-events Eh")
	listener.Do("PSUBSCRIBE *")
	c.Want("MULTI", "OK", "HSET h a 1", "QUEUED", "PUBLISH news x", "QUEUED", "HDEL h a", "QUEUED")
	require.Empty(t, listener.Pushes())
	c.Want("EXEC", "[1 1 1]")
	require.Equal(t, []string{
		`["pmessage" "*" "__keyevent@0__:hset" "h"]`, `["pmessage" "*" "news" "x"]`,
		`["pmessage" "*" "__keyevent@0__:hdel" "h"]`,
	}, listener.Pushes())
}
