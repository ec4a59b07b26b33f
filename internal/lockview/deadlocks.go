package lockview

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/locks"
)

// Deadlocks returns cycles among those who wait: each member waits for a lock that the next one holds. Each owner that
// is in a cycle is in one of those returned, which are the shortest ones; each begins with its first owner in the order
// of names. Only waiters whose owners are known count.
func Deadlocks(list []locks.Lock) (cycles []locks.Deadlock) {
	g := newGraph(list)
	reported := make(map[string]bool)
	for _, owner := range g.owners {
		if reported[owner] {
			continue
		}
		if cycle := g.cycle(owner); cycle != nil {
			cycles = append(cycles, g.deadlock(cycle))
			for _, e := range cycle {
				reported[e.from] = true
			}
		}
	}
	return cycles
}

// graph has an edge from each owner that waits to each that holds the lock.
type graph struct {
	owners []string // that wait, sorted
	edges  map[string][]edge
	group  map[string]int // by owner: owners that reach each other have the same one
}

// edge is one owner that waits for another one.
type edge struct {
	from, to string
	lock     *locks.Lock
}

func newGraph(list []locks.Lock) *graph {
	g := &graph{edges: make(map[string][]edge)}
	for i := range list {
		l := &list[i]
		for _, w := range l.Waiters {
			if w.Owner == "" {
				continue
			}
			g.owners = append(g.owners, w.Owner)
			for _, h := range l.Holders {
				if h.Owner != w.Owner || len(l.Holders) == 1 { // a reader that wants to write waits also for itself
					g.edges[w.Owner] = append(g.edges[w.Owner], edge{w.Owner, h.Owner, l})
				}
			}
		}
	}
	slices.Sort(g.owners)
	g.owners = slices.Compact(g.owners)
	g.findGroups()
	return g
}

// findGroups finds the strongly connected components, by Tarjan's algorithm: an owner is the first of its component if
// it reaches none that was seen before it and is not in another component already.
func (g *graph) findGroups() {
	g.group = make(map[string]int)
	low := make(map[string]int) // by owner, from 1 on in the order in which they are seen: the first one that it reaches
	var path []string
	var visit func(owner string) int
	visit = func(owner string) int {
		seen, at := len(low)+1, len(path)
		low[owner], path = seen, append(path, owner)
		first := seen
		for _, e := range g.edges[owner] {
			if low[e.to] == 0 {
				first = min(first, visit(e.to))
			} else if g.group[e.to] == 0 {
				first = min(first, low[e.to])
			}
		}
		low[owner] = first
		if first == seen {
			for _, member := range path[at:] {
				g.group[member] = seen
			}
			path = path[:at]
		}
		return first
	}
	for _, owner := range g.owners {
		if low[owner] == 0 {
			visit(owner)
		}
	}
}

// cycle returns the shortest path from an owner to itself, nil if no path leads back.
func (g *graph) cycle(owner string) []edge {
	by := make(map[string]edge) // how each owner was reached
	for next := []string{owner}; len(next) > 0; next = next[1:] {
		for _, e := range g.edges[next[0]] {
			if _, seen := by[e.to]; seen || g.group[e.to] != g.group[owner] {
				continue
			}
			if by[e.to] = e; e.to == owner {
				return g.path(owner, by)
			}
			next = append(next, e.to)
		}
	}
	return nil
}

// path returns the edges by which an owner was reached from itself.
func (g *graph) path(owner string, by map[string]edge) (cycle []edge) {
	for at := owner; at != owner || len(cycle) == 0; at = by[at].from {
		cycle = append(cycle, by[at])
	}
	slices.Reverse(cycle)
	return cycle
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
