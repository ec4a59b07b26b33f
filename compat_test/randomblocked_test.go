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
	crowdSize     = 5   // clients; the first one never waits
	blockedLength = 400 // turns in an episode
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
	a, s := newArena(t), statistics{used: map[form]int{}}
	waits, differences := 0, 0
	for episode := uint64(0); s.commands < total && differences < enoughDifferences; episode++ {
		a.vary(episode)
		turns := newGenerator(seed, episode, families, s.used).turns(blockedLength)
		upshots, d := a.playCrowds(turns)
		for _, o := range upshots {
			s.add(o.said())
			waits += min(1, len(o.waiting))
		}
		if d != nil {
			differences++
			a.reportTurns(seed, episode, turns, d)
		}
	}
	t.Logf("seed %d: %d commands on %d connections, %d of them answered with an error; clients waited during %d",
		seed, s.commands, crowdSize, s.errors, waits)
	if total >= 20_000 && !t.Failed() {
		requireUsed(t, s.used, blockedForms)
		requireUsed(t, s.used, wakingForms)
		require.Greater(t, waits, s.commands/4, "too few clients that wait")
	}
}

func requireUsed(t *testing.T, used map[form]int, forms []form) {
	t.Helper()
	for _, f := range forms {
		require.NotZero(t, used[f], "never sent: %s", f)
	}
}

// said are the replies alone.
func (o upshot) said() (replies []reply) {
	for _, s := range o.replies {
		replies = append(replies, s.reply)
	}
	return replies
}

// turns makes n turns, and at the end lets nobody wait.
func (g *generator) turns(n int) (all []turn) {
	planned := make([][][]string, crowdSize) // the rest of a transaction
	for len(all) < n {
		who := g.rnd.IntN(crowdSize)
		if len(planned[who]) == 0 {
			planned[who] = g.plan(who)
		}
		next := g.clear(planned[who][0])
		planned[who] = planned[who][1:]
		for _, args := range next {
			all = append(all, turn{who, args})
		}
	}
	for who := range crowdSize {
		all = append(all, turn{0, []string{"CLIENT", "UNBLOCK", "client:" + strconv.Itoa(who), g.pick("TIMEOUT", "ERROR")}})
	}
	return all
}

// plan is a command or a transaction of one of the clients.
func (g *generator) plan(who int) [][]string {
	if !g.chance(5) {
		return [][]string{g.socialCommand(who == 0)}
	}
	all := [][]string{{"MULTI"}}
	for range g.rnd.IntN(5) {
		all = append(all, g.socialCommand(false))
	}
	return append(all, []string{g.pick("EXEC", "EXEC", "EXEC", "EXEC", "DISCARD")})
}

// socialCommand is one that waits, one that others may wait for, or any.
func (g *generator) socialCommand(busy bool) []string {
	g.home = -1
	if g.chance(70) {
		g.home = 0 // most go for the same three keys
	}
	switch kind := g.rnd.IntN(100); {
	case kind < 30 && !busy:
		return g.draw(blockedForms)
	case kind < 85:
		return g.draw(wakingForms)
	}
	return g.draw(g.from[g.rnd.IntN(len(g.from))].forms)
}

// playCrowds plays the turns on both servers, emptied, and compares.
func (a arena) playCrowds(turns []turn) (upshots []upshot, d *difference) {
	a.enter(a.ref).conn.Close()
	a.enter(a.ours).conn.Close()
	ref, ours := newCrowd(a.t, a.ref, crowdSize, a.resp3), newCrowd(a.t, a.ours, crowdSize, a.resp3)
	heard := a.listen()
	defer ref.close()
	defer ours.close()
	asked := make([]conversation, crowdSize)
	for i, tn := range turns {
		want := ref.take(tn, nil)
		upshots = append(upshots, want)
		if want.skipped {
			continue
		}
		if text := compareUpshots(asked, tn, want, ours.take(tn, &want)); text != "" {
			d = &difference{i, text}
			break
		}
	}
	if text := heard(); d == nil && text != "" {
		d = &difference{len(turns), text}
	}
	if d == nil {
		d = a.compareData(len(turns), ref.watcher, ours.watcher)
	}
	return upshots, d
}

// conversation is what a client has asked last, and in its open transaction.
type conversation struct {
	args   []string
	queued [][]string
}

// compareUpshots tells how the upshots of a turn differ, or nothing.
func compareUpshots(asked []conversation, tn turn, want, got upshot) string {
	if tn.args[0] == goesAway {
		asked[tn.client] = conversation{}
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
	return fmt.Sprintf("%s\n  redis: %s\n   ours: %s", tn, want, got)
}

// answered tells whether two replies to the client are the same.
func (c *conversation) answered(want, got spoken) bool {
	same := want.client == got.client && want.err == nil && got.err == nil && sameReply(c.args, c.queued, want.reply, got.reply)
	switch name := strings.ToUpper(c.args[0]); {
	case want.reply.text == "QUEUED" && want.reply.kind == '+':
		c.queued = append(c.queued, c.args)
	case name == "EXEC" || name == "DISCARD":
		c.queued = nil
	}
	return same
}

func (o upshot) String() string {
	var b strings.Builder
	for _, s := range o.replies {
		fmt.Fprintf(&b, "client %d gets %s, ", s.client, s)
	}
	fmt.Fprintf(&b, "%d wait", o.waiting)
	return b.String()
}

func (s spoken) String() string {
	if s.err != nil {
		return s.err.Error()
	}
	return s.reply.String()
}

// reportTurns shrinks what led to a difference and prints it.
func (a arena) reportTurns(seed, episode uint64, turns []turn, d *difference) {
	a.t.Helper()
	short, d := shrink(turns, d, func(some []turn) *difference {
		_, d := a.playCrowds(some)
		return d
	})
	var b strings.Builder
	for _, tn := range short {
		b.WriteString("\n  " + tn.String())
	}
	a.t.Errorf("seed %d, episode %d: the servers differ after%s\nat %s", seed, episode, b.String(), d.text)
}
