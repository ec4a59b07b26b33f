package compat

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

var blockedCommands = flag.Int("blocked", 20_000, "random commands to send to both servers on several connections")

const (
	groupSize             = 5   // clients; the first one never waits
	commandsPerGroupRound = 400 // turns in an round
)

// Clients that wait must be served as by Redis: the same ones, in the same order, with the same replies; and whoever does not
// wait there may not wait here. Time plays no part: the turns of both servers go in step, and nothing waits for a time that
// ends.
func TestRandom_BlockedClientsAreServedAsByRedis(t *testing.T) {
	total, seed := *blockedCommands, *randomSeed
	if !testenv.Long() {
		total = 2000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	a, s := newServerPair(t), statistics{used: map[template]int{}}
	waits, differences := 0, 0
	for round := uint64(0); s.commands < total && differences < enoughDifferences; round++ {
		a.vary(round)
		turns := newGenerator(seed, round, commandGroups, s.used).turns(commandsPerGroupRound)
		results, d := a.runOnGroups(turns)
		for _, o := range results {
			s.add(o.replyList())
			waits += min(1, len(o.waiting))
		}
		if d != nil {
			differences++
			a.reportClientCommands(seed, round, turns, d)
		}
	}
	t.Logf("seed %d: %d commands on %d connections, %d of them answered with an error; clients waited during %d",
		seed, s.commands, groupSize, s.errors, waits)
	if total >= 20_000 && !t.Failed() {
		requireUsed(t, s.used, blockingTemplates)
		requireUsed(t, s.used, unblockingTemplates)
		require.Greater(t, waits, s.commands/4, "too few clients that wait")
	}
}

func requireUsed(t *testing.T, used map[template]int, templates []template) {
	t.Helper()
	for _, f := range templates {
		require.NotZero(t, used[f], "never sent: %s", f)
	}
}

// replyList are the replies alone.
func (o commandResult) replyList() (replies []reply) {
	for _, s := range o.replies {
		replies = append(replies, s.reply)
	}
	return replies
}

// turns makes n turns, and at the end lets nobody wait.
func (g *generator) turns(n int) (all []turn) {
	planned := make([][][]string, groupSize) // the rest of a transaction
	for len(all) < n {
		who := g.rnd.IntN(groupSize)
		if len(planned[who]) == 0 {
			planned[who] = g.plan(who)
		}
		next := g.clear(planned[who][0])
		planned[who] = planned[who][1:]
		for _, args := range next {
			all = append(all, turn{who, args})
		}
	}
	for who := range groupSize {
		all = append(all, turn{0, []string{"CLIENT", "UNBLOCK", "client:" + strconv.Itoa(who), g.pick("TIMEOUT", "ERROR")}})
	}
	return all
}

// plan is a command or a transaction of one of the clients.
func (g *generator) plan(who int) [][]string {
	if !g.chance(5) {
		return [][]string{g.multiClientCommand(who == 0)}
	}
	all := [][]string{{"MULTI"}}
	for range g.rnd.IntN(5) {
		all = append(all, g.multiClientCommand(false))
	}
	return append(all, []string{g.pick("EXEC", "EXEC", "EXEC", "EXEC", "DISCARD")})
}

// multiClientCommand is one that waits, one that others may wait for, or any.
func (g *generator) multiClientCommand(busy bool) []string {
	g.home = -1
	if g.chance(70) {
		g.home = 0 // most go for the same three keys
	}
	switch kind := g.rnd.IntN(100); {
	case kind < 30 && !busy:
		return g.draw(blockingTemplates)
	case kind < 85:
		return g.draw(unblockingTemplates)
	}
	return g.draw(g.from[g.rnd.IntN(len(g.from))].templates)
}

// runOnGroups plays the turns on both servers, emptied, and compares.
func (a serverPair) runOnGroups(turns []turn) (results []commandResult, d *difference) {
	a.enter(a.ref).conn.Close()
	a.enter(a.target).conn.Close()
	ref, target := newClientGroup(a.t, a.ref, groupSize, a.resp3), newClientGroup(a.t, a.target, groupSize, a.resp3)
	heard := a.listen()
	defer ref.close()
	defer target.close()
	asked := make([]clientState, groupSize)
	for i, tn := range turns {
		want := ref.take(tn, nil)
		results = append(results, want)
		if want.skipped {
			continue
		}
		if text := compareResults(asked, tn, want, target.take(tn, &want)); text != "" {
			d = &difference{i, text}
			break
		}
	}
	if text := heard(); d == nil && text != "" {
		d = &difference{len(turns), text}
	}
	if d == nil {
		d = a.compareData(len(turns), ref.control, target.control)
	}
	return results, d
}

// clientState is what a client has asked last, and in its open transaction.
type clientState struct {
	args   []string
	queued [][]string
}

// compareResults tells how the results of a turn differ, or nothing.
func compareResults(asked []clientState, tn turn, want, got commandResult) string {
	if tn.args[0] == closeConnection {
		asked[tn.client] = clientState{}
	} else {
		asked[tn.client].args = tn.args
	}
	same := len(want.replies) == len(got.replies) && fmt.Sprint(want.waiting) == fmt.Sprint(got.waiting)
	for i, w := range want.replies {
		same = same && asked[w.client].answered(w, got.replies[i])
	}
	if same {
		return ""
	}
	return fmt.Sprintf("%s\n   redis: %s\n  target: %s", tn, want, got)
}

// answered tells whether two replies to the client are the same.
func (c *clientState) answered(want, got clientReply) bool {
	same := want.client == got.client && want.err == nil && got.err == nil && sameReply(c.args, c.queued, want.reply, got.reply)
	switch name := strings.ToUpper(c.args[0]); {
	case want.reply.text == "QUEUED" && want.reply.kind == '+':
		c.queued = append(c.queued, c.args)
	case name == "EXEC" || name == "DISCARD":
		c.queued = nil
	}
	return same
}

func (o commandResult) String() string {
	var b strings.Builder
	for _, s := range o.replies {
		fmt.Fprintf(&b, "client %d gets %s, ", s.client, s)
	}
	fmt.Fprintf(&b, "%d wait", o.waiting)
	return b.String()
}

func (s clientReply) String() string {
	if s.err != nil {
		return s.err.Error()
	}
	return s.reply.String()
}

// reportClientCommands shrinks what led to a difference and prints it.
func (a serverPair) reportClientCommands(seed, round uint64, turns []turn, d *difference) {
	a.t.Helper()
	short, d := shrink(turns, d, func(some []turn) *difference {
		_, d := a.runOnGroups(some)
		return d
	})
	var b strings.Builder
	for _, tn := range short {
		b.WriteString("\n  " + tn.String())
	}
	a.t.Errorf("seed %d, episode %d: the servers differ after%s\nat %s", seed, round, b.String(), d.text)
}
