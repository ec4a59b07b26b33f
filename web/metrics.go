package web

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"

	process "github.com/VictoriaMetrics/metrics"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/version"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/server"
)

// namespace begins the names of the metrics of a server; those of the process have Prometheus' names.
const namespace = "minilockd"

// metrics is the handler of /metrics. It reads the figures of a server when Prometheus asks for them.
type metrics struct {
	srv    *server.Server
	events *lockEvents
}

// newMetrics counts the events of locks until the server ends.
func newMetrics(srv *server.Server) http.Handler { return metrics{srv, newLockEvents(srv)} }

// ServeHTTP implements http.Handler.
func (m metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var page exposition
	m.addServer(&page)
	m.addFaults(&page)
	addClock(&page, m.srv.Clock())
	addLocks(&page, m.srv.Locks())
	m.events.add(&page)
	process.WriteProcessMetrics(&page.text)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(page.text.Bytes()) // the client may have left
}

func (m metrics) addServer(page *exposition) {
	figures := m.srv.Stats()
	page.gauge("info", "The version of the server, which server it stands for, and redis_version of that.", "version",
		"emulate", "redis").add(1, version.Module(), m.srv.Emulate(), emulate.Named(m.srv.Emulate()).RedisVersion())
	page.gauge("clients", "Connected clients.").add(float64(figures.Clients))
	page.gauge("blocked_clients", "Clients whose command blocks.").add(float64(figures.Blocked))
	page.gauge("keys", "Keys in all databases.").add(float64(figures.Keys))
	page.counter("connections_total", "Accepted connections.").add(float64(figures.Connections))
	page.counter("rejected_connections_total", "Connections closed at once.").add(float64(figures.Rejected))
	page.counter("commands_total", "Calls of commands by clients and scripts.").add(float64(figures.Commands))
	page.counter("expired_keys_total", "Keys that have expired.").add(float64(figures.Expired))
	errorReplies := page.counter("error_replies_total", "Error replies by their code.", "code")
	for _, code := range slices.Sorted(maps.Keys(figures.Errors)) {
		errorReplies.add(float64(figures.Errors[code]), code)
	}
}

func (m metrics) addFaults(page *exposition) {
	rules := m.srv.Faults().List()
	hits := page.counter("fault_hits_total", "How often the fault of a rule has happened.", "id", "rule")
	for _, r := range rules {
		hits.add(float64(r.Hits), strconv.FormatInt(r.ID, 10), r.Rule.String())
	}
	matches := page.counter("fault_matches_total", "How often the conditions of a rule have been met.", "id", "rule")
	for _, r := range rules {
		matches.add(float64(r.Fitting), strconv.FormatInt(r.ID, 10), r.Rule.String())
	}
}

func addClock(page *exposition, clk server.Clock) {
	speed := clk.Speed()
	if clk.Frozen() {
		speed = 0
	}
	page.gauge("clock_seconds", "The server's clock, in seconds since 1970.").add(float64(clk.Now().UnixMilli()) / 1000)
	page.gauge("clock_speed", "How fast the server's clock runs, 1 as real time; 0 while it is stopped.").add(speed)
}

func addLocks(page *exposition, view server.Locks) {
	type group struct{ kind, state string }
	groups, waiters := make(map[group]int), make(map[string]int)
	for _, l := range view.List("*") {
		state := "free"
		if l.Held() {
			state = "held"
		}
		groups[group{string(l.Kind), state}]++
		waiters[string(l.Kind)] += len(l.Waiters)
	}
	held := page.gauge("locks", "Locks by kind and state: held, or free.", "kind", "state")
	for g, n := range groups {
		held.add(float64(n), g.kind, g.state)
	}
	waiting := page.gauge("lock_waiters", "Those who wait for locks, by the kind of lock.", "kind")
	for kind, n := range waiters {
		waiting.add(float64(n), kind)
	}
	page.gauge("deadlocks", "Cycles of owners that wait for each other.").add(float64(len(view.Deadlocks())))
}

// eventTypes are those that are counted.
var eventTypes = []locks.EventType{
	locks.Taken, locks.Reentered, locks.Renewed, locks.Released, locks.Lapsed, locks.Forced,
}

// lockEvents counts what happens to locks while the history is on.
type lockEvents struct {
	byType map[locks.EventType]*atomic.Int64
	lost   atomic.Int64
}

// newLockEvents counts until the server ends.
func newLockEvents(srv *server.Server) *lockEvents {
	e := &lockEvents{byType: make(map[locks.EventType]*atomic.Int64)}
	for _, t := range eventTypes {
		e.byType[t] = new(atomic.Int64)
	}
	stop := srv.Locks().Watch(e.count)
	go func() {
		<-srv.Done()
		stop()
	}()
	return e
}

func (e *lockEvents) count(event locks.Event) {
	e.byType[event.Type].Add(1)
	if event.Lost {
		e.lost.Add(1)
	}
}

func (e *lockEvents) add(page *exposition) {
	events := page.counter("lock_events_total",
		"What has happened to locks while the lock history is on, by the type of the event.", "event")
	for _, t := range eventTypes {
		events.add(float64(e.byType[t].Load()), string(t))
	}
	page.counter("lost_locks_total", "Locks that have lapsed though the client that had taken them was connected.").
		add(float64(e.lost.Load()))
}
