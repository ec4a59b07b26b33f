// Package sentinel makes servers of a process sentinels: they watch masters and their replicas through
// internal/network, agree on what they do not reach, make a replica the master in its place, and tell clients so
// (Redis documentation: High availability with Redis Sentinel). It is a part of the server, not an API.
//
// A redis-sentinel pings and publishes to find out. Here a look at the network tells who reaches whom, so the sentinels
// look when something has changed, and when a limit of time passes on the clock of the servers. All sentinels of a
// process take part in one look, one after the other; a sentinel uses only what it could have been told by those that
// it reaches.
package sentinel

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/network"
)

// group is the sentinels of a network.
type group struct {
	network *network.Network
	clock   clock.Clock
	changes chan func() // what ends the hold of the clock; has an element while pending is true
	pending atomic.Bool
	turn    chan struct{} // has an element while somebody looks

	mu    lockrank.Mutex[lockrank.Sentinels] // guards what follows, and what the nodes know
	nodes []*Node
	timer clock.Timer
	stop  chan struct{} // closed when the last sentinel has gone; nil before the first

	running atomic.Bool
	work    sync.WaitGroup
}

// groupOf returns the group of a network.
func groupOf(env *command.Env) *group {
	created := false
	g := env.Network.Shared(func() any {
		created = true
		return &group{network: env.Network, clock: env.Clock, changes: make(chan func(), 1), turn: make(chan struct{}, 1)}
	}).(*group)
	if created {
		env.Network.Watch(g.changed)
	}
	return g
}

// changed has the sentinels look soon. The clock is not advanced until they have.
func (g *group) changed() {
	if g.running.Load() && g.pending.CompareAndSwap(false, true) {
		g.changes <- clock.Hold(g.clock)
	}
}

// join adds a sentinel, and starts the goroutine that looks for the first one.
func (g *group) join(n *Node) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.nodes = append(g.nodes, n)
	if g.stop == nil {
		g.stop = make(chan struct{})
		stop := g.stop
		g.running.Store(true)
		g.work.Go(func() { g.run(stop) })
	}
}

// leave removes a sentinel. The goroutine ends with the last one.
func (g *group) leave(n *Node) {
	if g.remove(n) {
		g.work.Wait()
	}
}

// remove removes a sentinel and reports whether it was the last.
func (g *group) remove(n *Node) (last bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.nodes {
		if other == n {
			g.nodes = append(g.nodes[:i:i], g.nodes[i+1:]...)
			break
		}
	}
	if len(g.nodes) == 0 && g.stop != nil {
		g.running.Store(false)
		close(g.stop)
		g.stop = nil
		if g.timer != nil {
			g.timer.Stop()
		}
		return true
	}
	return false
}

// run looks after each change.
func (g *group) run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case done := <-g.changes:
			g.pending.Store(false)
			g.look()
			done()
		}
	}
}

// look lets all sentinels see how things are, and do what follows from it.
func (g *group) look() {
	g.turn <- struct{}{}
	defer func() { <-g.turn }()
	g.lookInTurn()
}

// maxSteps limits what follows from one look. Two masters that each follow the other would otherwise have no end.
const maxSteps = 100

func (g *group) lookInTurn() {
	for range maxSteps {
		if g.network.Held() {
			return
		}
		act := g.observe()
		if act == nil {
			return
		}
		act()
	}
}

// observe updates what the sentinels know. It returns the first thing to do, which may wait for other servers; nil for
// none. Then it sets the timer.
func (g *group) observe() (act func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock.Now()
	var next time.Time
	g.each(func(n *Node, m *master) { m.observe(n, now) })
	g.each(func(n *Node, m *master) { m.agree(n) })
	g.each(func(n *Node, m *master) {
		if act == nil {
			act = m.decide(n, now)
		}
	})
	g.each(func(n *Node, m *master) { m.due(n, &next) })
	if act == nil && !next.IsZero() && g.stop != nil {
		g.timer = clock.At(g.clock, g.timer, next, g.look)
	}
	return act
}

// each calls f for each master of each sentinel that runs.
func (g *group) each(f func(n *Node, m *master)) {
	for _, n := range g.nodes {
		if !g.network.Reaches(n.env.Member, n.env.Member) {
			continue
		}
		for _, m := range n.masters {
			f(n, m)
		}
	}
}
