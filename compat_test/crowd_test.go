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

// goesAway stands in a turn for a client that closes its connection; another one takes its place.
const goesAway = "(close)"

// mayLag is how long a server may take until the same clients wait in it as in the other. It bounds a failing test only.
const mayLag = 30 * time.Second

// turn is a command of one of several clients. A word such as client:2 stands for that client's id.
type turn struct {
	client int
	args   []string
}

func (tn turn) String() string { return fmt.Sprintf("%d> %s", tn.client, quoteArgs(tn.args)) }

// upshot is what a turn brings: the reply, unless the client has to wait, and the replies of those it ends the waiting of.
type upshot struct {
	skipped bool // since the client waits already
	replies []spoken
	waiting []int // the clients that wait now
}

func (o upshot) waitsNot(client int) bool { return !slices.Contains(o.waiting, client) }

// spoken is a reply to one of several clients.
type spoken struct {
	client int
	reply  reply
	err    error
}

// crowd is several clients of one server, and one more that sees which of them wait.
type crowd struct {
	t       testing.TB
	addr    string
	watcher *rawClient
	clients []*rawClient
	ids     []string
	waiting []int
	resp3   bool
}

func newCrowd(t testing.TB, addr string, size int, resp3 bool) *crowd {
	c := &crowd{t: t, addr: addr, watcher: dial(t, addr), clients: make([]*rawClient, size), ids: make([]string, size), resp3: resp3}
	for i := range size {
		c.admit(i)
	}
	return c
}

// admit connects a client.
func (c *crowd) admit(i int) {
	client := dial(c.t, c.addr)
	if c.resp3 {
		require.Equal(c.t, byte('%'), client.do(c.t, "HELLO", "3").kind)
	}
	c.clients[i], c.ids[i] = client, client.do(c.t, "CLIENT", "ID").text
}

func (c *crowd) close() {
	for _, client := range append(c.clients, c.watcher) {
		client.conn.Close()
	}
}

// take plays a turn. It is over when the command is answered or its client waits, and, if want is given, the same clients wait
// as there.
func (c *crowd) take(tn turn, want *upshot) upshot {
	if slices.Contains(c.waiting, tn.client) && tn.args[0] != goesAway {
		return upshot{skipped: true}
	}
	concerned := c.waiting
	if tn.args[0] == goesAway {
		c.replace(tn.client)
		concerned = slices.DeleteFunc(slices.Clone(concerned), func(i int) bool { return i == tn.client })
	} else {
		c.send(tn)
		concerned = append(slices.Clone(concerned), tn.client)
	}
	o := upshot{waiting: c.settle(tn, want)}
	slices.Sort(concerned)
	for _, i := range concerned {
		if !slices.Contains(o.waiting, i) {
			v, err := c.clients[i].read()
			o.replies = append(o.replies, spoken{i, v, err})
		}
	}
	c.waiting = o.waiting
	return o
}

func (c *crowd) send(tn turn) {
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
func (c *crowd) replace(i int) {
	c.clients[i].conn.Close()
	require.Eventually(c.t, func() bool {
		return c.watcher.do(c.t, "CLIENT", "LIST", "ID", c.ids[i]).text == ""
	}, patience, time.Millisecond, "a client that went away is still there")
	c.admit(i)
}

// settle awaits the end of a turn and gives those who wait then.
func (c *crowd) settle(tn turn, want *upshot) (waiting []int) {
	gone := tn.args[0] == goesAway
	for since := time.Now(); ; {
		answered := gone || c.clients[tn.client].ready(c.timeToAnswer(tn))
		waiting = c.whoWaits()
		over := answered || slices.Contains(waiting, tn.client)
		if over && (want == nil || !slices.ContainsFunc(waiting, want.waitsNot)) || time.Since(since) > mayLag {
			return waiting
		}
	}
}

// timeToAnswer is short for a command that may have to wait.
func (c *crowd) timeToAnswer(tn turn) time.Duration {
	switch strings.ToUpper(tn.args[0]) {
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "XREAD", "XREADGROUP":
		return 200 * time.Microsecond
	}
	return mayLag
}

var clientFlags = regexp.MustCompile(`(?m)^id=(\d+) .* flags=(\w+)`)

// whoWaits asks the server which clients are blocked.
func (c *crowd) whoWaits() (waiting []int) {
	list := c.watcher.do(c.t, append([]string{"CLIENT", "LIST", "ID"}, c.ids...)...)
	for _, line := range clientFlags.FindAllStringSubmatch(list.text, -1) {
		if strings.Contains(line[2], "b") {
			waiting = append(waiting, slices.Index(c.ids, line[1]))
		}
	}
	slices.Sort(waiting)
	return waiting
}
