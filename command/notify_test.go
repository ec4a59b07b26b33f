package command

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// heard is what was pushed to a subscriber since the last call, in the form of testClient.do.
func (c *testClient) heard() []string {
	messages := make([]string, len(c.pushed))
	for i, m := range c.pushed {
		messages[i], _ = readable(m)
	}
	c.pushed = nil
	return messages
}

func TestNotify_Channels(t *testing.T) {
	env, clock := newEnv(t)
	clients := connect(t, env, 2)
	listener, c := clients[0], clients[1]
	listener.do("PSUBSCRIBE __key*")
	c.do("HSET h a 1")
	require.Empty(t, listener.heard())

	c.want("CONFIG SET notify-keyspace-events KEA", "OK", "SELECT 2", "OK", "HSET h a 1", "1", "HDEL h a", "1")
	require.Equal(t, []string{
		`["pmessage" "__key*" "__keyspace@2__:h" "hset"]`, `["pmessage" "__key*" "__keyevent@2__:hset" "h"]`,
		`["pmessage" "__key*" "__keyspace@2__:h" "hdel"]`, `["pmessage" "__key*" "__keyevent@2__:hdel" "h"]`,
		`["pmessage" "__key*" "__keyspace@2__:h" "del"]`, `["pmessage" "__key*" "__keyevent@2__:del" "h"]`,
	}, listener.heard())

	c.want("CONFIG SET notify-keyspace-events Ex", "OK", "HSET h a 1", "1", "PEXPIRE h 100", "1")
	require.Empty(t, listener.heard())
	clock.Advance(100 * time.Millisecond)
	env.Store.ExpireDue()
	require.Equal(t, []string{`["pmessage" "__key*" "__keyevent@2__:expired" "h"]`}, listener.heard())

	c.want("CONFIG SET notify-keyspace-events A", "OK", "HSET h a 1", "1", "CONFIG SET notify-keyspace-events ''", "OK", "DEL h", "1")
	require.Empty(t, listener.heard())
}

func TestNotify_OrderWithinExec(t *testing.T) {
	env, _ := newEnv(t)
	clients := connect(t, env, 2)
	listener, c := clients[0], clients[1]
	c.do("CONFIG SET notify-keyspace-events Eh")
	listener.do("PSUBSCRIBE *")
	c.want("MULTI", "OK", "HSET h a 1", "QUEUED", "PUBLISH news x", "QUEUED", "HDEL h a", "QUEUED")
	require.Empty(t, listener.heard())
	c.want("EXEC", "[1 1 1]")
	require.Equal(t, []string{
		`["pmessage" "*" "__keyevent@0__:hset" "h"]`, `["pmessage" "*" "news" "x"]`, `["pmessage" "*" "__keyevent@0__:hdel" "h"]`,
	}, listener.heard())
}
