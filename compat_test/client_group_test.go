package compat

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// closeConnection stands in a turn for a client that closes its connection; another one takes its place.
const closeConnection = "(close)"

// maxLag is how long a server may take until the same clients wait in it as in the other. It bounds a failing test only.
const maxLag = 30 * time.Second

// turn is a command of one of several clients. A word such as client:2 stands for that client's id.
type turn struct {
	client int
	args   []string
}

func (tn turn) String() string { return fmt.Sprintf("%d> %s", tn.client, quoteArgs(tn.args)) }

// commandResult is what a turn brings: the reply, unless the client has to wait, and the replies of those it ends the waiting of.
type commandResult struct {
	skipped bool // since the client waits already
	replies []clientReply
	waiting []int // the clients that wait now
}

func (o commandResult) notBlocked(client int) bool { return !slices.Contains(o.waiting, client) }

// clientReply is a reply to one of several clients.
type clientReply struct {
	client int
	reply  reply
	err    error
}

// clientGroup is several clients of one server, and one more that sees which of them wait.
type clientGroup struct {
	t       testing.TB
	addr    string
	control *rawClient
	clients []*rawClient
	ids     []string
	waiting []int
	resp3   bool
}

func newClientGroup(t testing.TB, addr string, size int, resp3 bool) *clientGroup {
	c := &clientGroup{t: t, addr: addr, control: dial(t, addr), clients: make([]*rawClient, size), ids: make([]string, size), resp3: resp3}
	for i := range size {
		c.connect(i)
	}
	return c
}

// connect connects a client.
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

// take plays a turn. It is over when the command is answered or its client waits, and, if want is given, the same clients wait
// as there.
func (c *clientGroup) take(tn turn, want *commandResult) commandResult {
	if slices.Contains(c.waiting, tn.client) && tn.args[0] != closeConnection {
		return commandResult{skipped: true}
	}
	affected := c.waiting
	if tn.args[0] == closeConnection {
		c.replace(tn.client)
		affected = slices.DeleteFunc(slices.Clone(affected), func(i int) bool { return i == tn.client })
	} else {
		c.send(tn)
		affected = append(slices.Clone(affected), tn.client)
	}
	o := commandResult{waiting: c.settle(tn, want)}
	slices.Sort(affected)
	for _, i := range affected {
		if !slices.Contains(o.waiting, i) {
			v, err := c.clients[i].read()
			o.replies = append(o.replies, clientReply{i, v, err})
		}
	}
	c.waiting = o.waiting
	return o
}

func (c *clientGroup) send(tn turn) {
	args := slices.Clone(tn.args)
	for i, word := range args {
		if n, found := strings.CutPrefix(word, "client:"); found {
			which, err := strconv.Atoi(n)
			require.NoError(c.t, err)
			args[i] = c.ids[which]
		}
	}
	c.clients[tn.client].queue(args...)
	_ = c.clients[tn.client].flush() // a closed connection shows when we read
}

// replace closes a client's connection, awaits that the server has seen it, and opens another.
func (c *clientGroup) replace(i int) {
	c.clients[i].conn.Close()
	require.Eventually(c.t, func() bool {
		return c.control.do(c.t, "CLIENT", "LIST", "ID", c.ids[i]).text == ""
	}, patience, time.Millisecond, "a client that went away is still there")
	c.connect(i)
}

// settle awaits the end of a turn and gives those who wait then.
func (c *clientGroup) settle(tn turn, want *commandResult) (waiting []int) {
	gone := tn.args[0] == closeConnection
	for since := time.Now(); ; {
		answered := gone || c.clients[tn.client].ready(c.timeToAnswer(tn))
		waiting = c.blockedClients()
		over := answered || slices.Contains(waiting, tn.client)
		if over && (want == nil || !slices.ContainsFunc(waiting, want.notBlocked)) || time.Since(since) > maxLag {
			return waiting
		}
	}
}

// timeToAnswer is short for a command that may have to wait.
func (c *clientGroup) timeToAnswer(tn turn) time.Duration {
	switch strings.ToUpper(tn.args[0]) {
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "XREAD", "XREADGROUP":
		return 200 * time.Microsecond
	}
	return maxLag
}

var clientFlags = regexp.MustCompile(`(?m)^id=(\d+) .* flags=(\w+)`)

// blockedClients asks the server which clients are blocked.
func (c *clientGroup) blockedClients() (waiting []int) {
	list := c.control.do(c.t, append([]string{"CLIENT", "LIST", "ID"}, c.ids...)...)
	for _, line := range clientFlags.FindAllStringSubmatch(list.text, -1) {
		if strings.Contains(line[2], "b") {
			waiting = append(waiting, slices.Index(c.ids, line[1]))
		}
	}
	slices.Sort(waiting)
	return waiting
}
