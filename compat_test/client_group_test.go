package compat

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// closeConnection in place of a command closes the client's connection and opens another.
const closeConnection = "(close)"

// maxLag is how long a server may take until the same clients are blocked as on the other. Only a failing test waits so
// long.
const maxLag = 30 * time.Second

// clientCommand is a command of one of several clients. The argument client:2 stands for the ID of client 2.
type clientCommand struct {
	client int
	args   []string
}

func (tn clientCommand) String() string { return fmt.Sprintf("%d> %s", tn.client, quoteArgs(tn.args)) }

// commandResult is the effect of a clientCommand: its reply, unless it blocks, and the replies to clients that it
// unblocks.
type commandResult struct {
	skipped bool // the client is blocked, so nothing was sent
	replies []clientReply
	blocked []int // the clients that are blocked now
}

func (o commandResult) notBlocked(client int) bool { return !slices.Contains(o.blocked, client) }

// clientReply is a reply to one of the clients.
type clientReply struct {
	client int
	reply  reply
	err    error
}

// clientGroup is several clients of one server, and a connection that reads which of them are blocked.
type clientGroup struct {
	t       testing.TB
	addr    string
	control *rawClient
	clients []*rawClient
	ids     []string
	blocked []int
	resp3   bool
}

func newClientGroup(t testing.TB, addr string, size int, resp3 bool) *clientGroup {
	c := &clientGroup{t: t, addr: addr, control: dial(t, addr), clients: make([]*rawClient, size),
		ids: make([]string, size), resp3: resp3}
	for i := range size {
		c.connect(i)
	}
	return c
}

// connect connects client i.
func (c *clientGroup) connect(i int) {
	client := dial(c.t, c.addr)
	if c.resp3 {
		require.Equal(c.t, byte('%'), client.do(c.t, "HELLO", "3").kind)
	}
	c.clients[i], c.ids[i] = client, client.do(c.t, "CLIENT", "ID").text
}

func (c *clientGroup) close() {
	for _, client := range append(c.clients, c.control) {
		client.conn.Close()
	}
}

// run runs a command until it has its reply or is blocked. If want is given, it waits until the same clients are
// blocked as there.
func (c *clientGroup) run(tn clientCommand, want *commandResult) commandResult {
	if slices.Contains(c.blocked, tn.client) && tn.args[0] != closeConnection {
		return commandResult{skipped: true}
	}
	affected := c.blocked
	if tn.args[0] == closeConnection {
		c.replace(tn.client)
		affected = slices.DeleteFunc(slices.Clone(affected), func(i int) bool { return i == tn.client })
	} else {
		c.send(tn)
		affected = append(slices.Clone(affected), tn.client)
	}
	o := commandResult{blocked: c.awaitEnd(tn, want)}
	slices.Sort(affected)
	for _, i := range affected {
		if !slices.Contains(o.blocked, i) {
			v, err := c.clients[i].read()
			o.replies = append(o.replies, clientReply{i, v, err})
		}
	}
	c.blocked = o.blocked
	return o
}

func (c *clientGroup) send(tn clientCommand) {
	args := slices.Clone(tn.args)
	for i, word := range args {
		if n, found := strings.CutPrefix(word, "client:"); found {
			which, err := strconv.Atoi(n)
			require.NoError(c.t, err)
			args[i] = c.ids[which]
		}
	}
	c.clients[tn.client].queue(args...)
	_ = c.clients[tn.client].flush() // if the connection is closed, the read fails
}

// replace closes a client's connection, waits until the server has noticed, and opens another.
func (c *clientGroup) replace(i int) {
	c.clients[i].conn.Close()
	require.Eventually(c.t, func() bool {
		return c.control.do(c.t, "CLIENT", "LIST", "ID", c.ids[i]).text == ""
	}, replyTimeout, time.Millisecond, "the server does not close a client")
	c.connect(i)
}

// awaitEnd waits until a command has its reply or is blocked, and returns the clients that are blocked then.
func (c *clientGroup) awaitEnd(tn clientCommand, want *commandResult) (blocked []int) {
	gone := tn.args[0] == closeConnection
	for since := time.Now(); ; {
		hasReply := gone || c.clients[tn.client].ready(c.timeToAnswer(tn))
		blocked = c.blockedClients()
		over := hasReply || slices.Contains(blocked, tn.client)
		if over && (want == nil || !slices.ContainsFunc(blocked, want.notBlocked)) || time.Since(since) > maxLag {
			return blocked
		}
	}
}

// timeToAnswer returns how long to wait for a reply before asking whether the client is blocked.
func (c *clientGroup) timeToAnswer(tn clientCommand) time.Duration {
	switch strings.ToUpper(tn.args[0]) {
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "XREAD", "XREADGROUP":
		return 200 * time.Microsecond
	}
	return maxLag
}

var clientFlags = regexp.MustCompile(`(?m)^id=(\d+) .* flags=(\w+)`)

// blockedClients reads from CLIENT LIST which clients are blocked.
func (c *clientGroup) blockedClients() (blocked []int) {
	list := c.control.do(c.t, append([]string{"CLIENT", "LIST", "ID"}, c.ids...)...)
	for _, line := range clientFlags.FindAllStringSubmatch(list.text, -1) {
		if strings.Contains(line[2], "b") {
			blocked = append(blocked, slices.Index(c.ids, line[1]))
		}
	}
	slices.Sort(blocked)
	return blocked
}
