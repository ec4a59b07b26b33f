package web

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/minilockd/minilockd/internal/version"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/server"
)

// namespace begins the names of the metrics of a server; those of the process have Prometheus' names.
const namespace = "minilockd"

// desc describes a metric.
func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(namespace+"_"+name, help, labels, nil)
}

var (
	descInfo       = desc("info", "The version of the server, and of the Redis that it behaves like.", "version", "redis")
	descClients    = desc("clients", "Connected clients.")
	descBlocked    = desc("blocked_clients", "Clients whose command blocks.")
	descKeys       = desc("keys", "Keys in all databases.")
	descAccepted   = desc("connections_total", "Accepted connections.")
	descRejected   = desc("rejected_connections_total", "Connections closed at once.")
	descCommands   = desc("commands_total", "Calls of commands by clients and scripts.")
	descErrors     = desc("error_replies_total", "Error replies by their code.", "code")
	descExpired    = desc("expired_keys_total", "Keys that have expired.")
	descLocks      = desc("locks", "Locks by kind and state: held, or free.", "kind", "state")
	descWaiters    = desc("lock_waiters", "Those who wait for locks, by the kind of lock.", "kind")
	descDeadlocks  = desc("deadlocks", "Cycles of owners that wait for each other.")
	descFaults     = desc("fault_hits_total", "How often the fault of a rule has happened.", "id", "rule")
	descMatches    = desc("fault_matches_total", "How often the conditions of a rule have been met.", "id", "rule")
	descTime       = desc("clock_seconds", "The server's clock, in seconds since 1970.")
	descSpeed      = desc("clock_speed", "How fast the server's clock runs, 1 as real time; 0 while it is stopped.")
	allDescription = []*prometheus.Desc{descInfo, descClients, descBlocked, descKeys, descAccepted, descRejected,
		descCommands, descErrors, descExpired, descLocks, descWaiters, descDeadlocks, descFaults, descMatches, descTime,
		descSpeed}
)

// newMetrics returns the handler of /metrics.
func newMetrics(srv *server.Server) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{srv}, newLockEvents(srv), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// collector reads the figures of a server when Prometheus asks for them.
type collector struct{ srv *server.Server }

// Describe implements prometheus.Collector.
func (c collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range allDescription {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		send(d, prometheus.GaugeValue, value, labels...)
	}
	count := func(d *prometheus.Desc, n int64, labels ...string) {
		send(d, prometheus.CounterValue, float64(n), labels...)
	}
	figures := c.srv.Stats()
	gauge(descInfo, 1, version.Module(), version.Redis)
	gauge(descClients, float64(figures.Clients))
	gauge(descBlocked, float64(figures.Blocked))
	gauge(descKeys, float64(figures.Keys))
	count(descAccepted, figures.Connections)
	count(descRejected, figures.Rejected)
	count(descCommands, figures.Commands)
	count(descExpired, figures.Expired)
	for code, n := range figures.Errors {
		count(descErrors, n, code)
	}
	for _, r := range c.srv.Faults().List() {
		count(descFaults, r.Hits, strconv.FormatInt(r.ID, 10), r.Rule.String())
		count(descMatches, r.Fitting, strconv.FormatInt(r.ID, 10), r.Rule.String())
	}
	collectClock(c.srv.Clock(), gauge)
	collectLocks(c.srv.Locks(), gauge)
}

func collectClock(clk server.Clock, gauge func(*prometheus.Desc, float64, ...string)) {
	speed := clk.Speed()
	if clk.Frozen() {
		speed = 0
	}
	gauge(descSpeed, speed)
	gauge(descTime, float64(clk.Now().UnixMilli())/1000)
}

func collectLocks(view server.Locks, gauge func(*prometheus.Desc, float64, ...string)) {
	type group struct {
		kind  locks.Kind
		state string
	}
	groups, waiters := make(map[group]int), make(map[locks.Kind]int)
	for _, l := range view.List("*") {
		state := "free"
		if l.Held() {
			state = "held"
		}
		groups[group{l.Kind, state}]++
		waiters[l.Kind] += len(l.Waiters)
	}
	for g, n := range groups {
		gauge(descLocks, float64(n), string(g.kind), g.state)
	}
	for kind, n := range waiters {
		gauge(descWaiters, float64(n), string(kind))
	}
	gauge(descDeadlocks, float64(len(view.Deadlocks())))
}

// lockEvents counts what happens to locks while the history is on.
type lockEvents struct {
	byType *prometheus.CounterVec
	lost   prometheus.Counter
}

// newLockEvents counts until the server ends.
func newLockEvents(srv *server.Server) *lockEvents {
	e := &lockEvents{
		byType: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: "lock_events_total",
			Help: "What has happened to locks while the lock history is on, by the type of the event."}, []string{"event"}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: "lost_locks_total",
			Help: "Locks that have lapsed though the client that had taken them was connected."}),
	}
	for _, t := range []locks.EventType{locks.Taken, locks.Reentered, locks.Renewed, locks.Released, locks.Lapsed,
		locks.Forced} {
		e.byType.WithLabelValues(string(t))
	}
	stop := srv.Locks().Watch(e.count)
	go func() {
		<-srv.Done()
		stop()
	}()
	return e
}

func (e *lockEvents) count(event locks.Event) {
	e.byType.WithLabelValues(string(event.Type)).Inc()
	if event.Lost {
		e.lost.Inc()
	}
}

// Describe implements prometheus.Collector.
func (e *lockEvents) Describe(out chan<- *prometheus.Desc) {
	e.byType.Describe(out)
	e.lost.Describe(out)
}

// Collect implements prometheus.Collector.
func (e *lockEvents) Collect(out chan<- prometheus.Metric) {
	e.byType.Collect(out)
	e.lost.Collect(out)
}
