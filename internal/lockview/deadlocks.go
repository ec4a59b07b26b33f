package lockview

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/locks"
)

// Deadlocks returns the cycles among those who wait: each member waits for a lock that the next one holds. Only waiters
// whose owners are known count. Each cycle begins with its first owner in the order of names.
func Deadlocks(list []locks.Lock) (cycles []locks.Deadlock) {
	g := newGraph(list)
	for _, owner := range g.owners {
		if g.state[owner] == unseen {
			g.visit(owner)
		}
	}
	for _, cycle := range g.cycles {
		cycles = append(cycles, g.deadlock(cycle))
	}
	return cycles
}

// graph has an edge from each owner that waits to each that holds the lock.
type graph struct {
	owners []string // that wait, sorted
	edges  map[string][]edge
	state  map[string]visit
	path   []edge
	cycles [][]edge
}

// edge is one owner that waits for another one.
type edge struct {
	from, to string
	lock     *locks.Lock
}

type visit uint8

const (
	unseen visit = iota
	onPath
	done
)

func newGraph(list []locks.Lock) *graph {
	g := &graph{edges: make(map[string][]edge), state: make(map[string]visit)}
	for i := range list {
		l := &list[i]
		for _, w := range l.Waiters {
			if w.Owner == "" {
				continue
			}
			g.owners = append(g.owners, w.Owner)
			for _, h := range l.Holders {
				if h.Owner != w.Owner {
					g.edges[w.Owner] = append(g.edges[w.Owner], edge{w.Owner, h.Owner, l})
				}
			}
		}
	}
	slices.Sort(g.owners)
	g.owners = slices.Compact(g.owners)
	return g
}

// visit searches in depth: an edge to an owner on the path closes a cycle.
func (g *graph) visit(owner string) {
	g.state[owner] = onPath
	for _, e := range g.edges[owner] {
		g.path = append(g.path, e)
		switch g.state[e.to] {
		case unseen:
			g.visit(e.to)
		case onPath:
			start := slices.IndexFunc(g.path, func(p edge) bool { return p.from == e.to })
			g.cycles = append(g.cycles, slices.Clone(g.path[start:]))
		}
		g.path = g.path[:len(g.path)-1]
	}
	g.state[owner] = done
}

// deadlock describes a cycle. What a member holds is the lock for which the one before it waits.
func (g *graph) deadlock(cycle []edge) (d locks.Deadlock) {
	for i, e := range cycle {
		held := cycle[(i+len(cycle)-1)%len(cycle)].lock.Name
		d = append(d, locks.Wait{Owner: e.from, Lock: e.lock.Name, DB: e.lock.DB, Held: held})
	}
	first := slices.MinFunc(d, func(a, b locks.Wait) int { return strings.Compare(a.Owner, b.Owner) })
	at := slices.Index(d, first)
	return append(d[at:], d[:at]...)
}
