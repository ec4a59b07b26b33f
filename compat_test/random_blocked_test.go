package compat

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

var blockedCommands = flag.Int("blocked", 20_000, "random commands to send to both servers on several connections")

const (
	groupSize             = 5   // clients; the first one is never blocked
	commandsPerGroupRound = 400 // commands of all clients in a round
)

// Blocked clients must be unblocked as by Redis: the same clients, in the same order, with the same replies. The
// commands go to both servers step by step, and no timeout ends during the test, so that time does not matter.
func TestRandom_BlockedClients(t *testing.T) {
	total, seed := *blockedCommands, *randomSeed
	if !testenv.Long() {
		total = 2000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	a, s := newServerPair(t), statistics{used: map[template]int{}}
	blocking, differences := 0, 0
	for round := uint64(0); s.commands < total && differences < enoughDifferences; round++ {
		a.vary(round)
		commands := newGenerator(seed, round, commandGroups, s.used).clientCommands(commandsPerGroupRound)
		results, d := a.runOnGroups(commands)
		for _, o := range results {
			s.add(o.replyList())
			blocking += min(1, len(o.blocked))
		}
		if d != nil {
			differences++
			a.reportClientCommands(seed, round, commands, d)
		}
	}
	t.Logf("seed %d: %d commands on %d connections, %d of them with an error reply; clients were blocked during %d",
		seed, s.commands, groupSize, s.errors, blocking)
	if total >= 20_000 && !t.Failed() {
		requireUsed(t, s.used, blockingTemplates)
		requireUsed(t, s.used, unblockTemplates)
		require.Greater(t, blocking, s.commands/4, "too few blocked clients")
	}
}

func requireUsed(t *testing.T, used map[template]int, templates []template) {
	t.Helper()
	for _, f := range templates {
		require.NotZero(t, used[f], "never sent: %s", f)
	}
}

// replyList returns the replies.
func (o commandResult) replyList() (replies []reply) {
	for _, s := range o.replies {
		replies = append(replies, s.reply)
	}
	return replies
}

// clientCommands returns n random commands of the clients, and commands that unblock all clients at the end.
func (g *generator) clientCommands(n int) (all []clientCommand) {
	pending := make([][][]string, groupSize) // the rest of a transaction
	for len(all) < n {
		client := g.rnd.IntN(groupSize)
		if len(pending[client]) == 0 {
			pending[client] = g.plan(client)
		}
		next := g.clear(pending[client][0])
		pending[client] = pending[client][1:]
		for _, args := range next {
			all = append(all, clientCommand{client, args})
		}
	}
	for client := range groupSize {
		all = append(all, clientCommand{0, []string{"CLIENT", "UNBLOCK", "client:" + strconv.Itoa(client), g.pick("TIMEOUT",
			"ERROR")}})
	}
	return all
}

// plan returns a command or a transaction of a client.
func (g *generator) plan(client int) [][]string {
	if !g.chance(5) {
		return [][]string{g.multiClientCommand(client == 0)}
	}
	all := [][]string{{"MULTI"}}
	for range g.rnd.IntN(5) {
		all = append(all, g.multiClientCommand(false))
	}
	return append(all, []string{g.pick("EXEC", "EXEC", "EXEC", "EXEC", "DISCARD")})
}

// multiClientCommand returns a command that may block, one that may unblock others, or any command.
func (g *generator) multiClientCommand(first bool) []string {
	g.preferred = -1
	if g.chance(70) {
		g.preferred = 0 // most commands use the same three keys
	}
	switch kind := g.rnd.IntN(100); {
	case kind < 30 && !first:
		return g.draw(blockingTemplates)
	case kind < 85:
		return g.draw(unblockTemplates)
	}
	return g.draw(g.from[g.rnd.IntN(len(g.from))].templates)
}

// runOnGroups runs the commands on both servers, emptied, and compares.
func (a serverPair) runOnGroups(commands []clientCommand) (results []commandResult, d *difference) {
	a.connect(a.ref).conn.Close()
	a.connect(a.target).conn.Close()
	ref, target := newClientGroup(a.t, a.ref, groupSize, a.resp3), newClientGroup(a.t, a.target, groupSize, a.resp3)
	endEvents := a.recordEvents()
	defer ref.close()
	defer target.close()
	states := make([]clientState, groupSize)
	for i, tn := range commands {
		want := ref.run(tn, nil)
		results = append(results, want)
		if want.skipped {
			continue
		}
		if text := compareResults(states, tn, want, target.run(tn, &want)); text != "" {
			d = &difference{i, text}
			break
		}
	}
	if text := endEvents(); d == nil && text != "" {
		d = &difference{len(commands), text}
	}
	if d == nil {
		d = a.compareData(len(commands), ref.control, target.control)
	}
	return results, d
}

// clientState is the last command of a client, and the commands of its open transaction.
type clientState struct {
	args   []string
	queued [][]string
}

// compareResults returns the difference between the results of a command, or an empty string.
func compareResults(states []clientState, tn clientCommand, want, got commandResult) string {
	if tn.args[0] == closeConnection {
		states[tn.client] = clientState{}
	} else {
		states[tn.client].args = tn.args
	}
	same := len(want.replies) == len(got.replies) && fmt.Sprint(want.blocked) == fmt.Sprint(got.blocked)
	for i, w := range want.replies {
		same = same && states[w.client].sameReply(w, got.replies[i])
	}
	if same {
		return ""
	}
	return fmt.Sprintf("%s\n   redis: %s\n  target: %s", tn, want, got)
}

// sameReply reports whether two replies to the client are equal.
func (c *clientState) sameReply(want, got clientReply) bool {
	same := want.client == got.client && want.err == nil && got.err == nil && sameReply(c.args, c.queued, want.reply,
		got.reply)
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
	fmt.Fprintf(&b, "%d are blocked", o.blocked)
	return b.String()
}

func (s clientReply) String() string {
	if s.err != nil {
		return s.err.Error()
	}
	return s.reply.String()
}

// reportClientCommands shrinks the commands that led to a difference and reports it.
func (a serverPair) reportClientCommands(seed, round uint64, commands []clientCommand, d *difference) {
	a.t.Helper()
	short, d := shrink(commands, d, func(some []clientCommand) *difference {
		_, d := a.runOnGroups(some)
		return d
	})
	var b strings.Builder
	for _, tn := range short {
		b.WriteString("\n  " + tn.String())
	}
	a.t.Errorf("seed %d, episode %d: the servers differ after%s\nat %s", seed, round, b.String(), d.text)
}
