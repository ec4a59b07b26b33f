package sentinel

import (
	"cmp"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// fields is the description of a master, a replica or a sentinel: names and values.
type fields []any

func (f *fields) add(namesAndValues ...any) {
	for _, v := range namesAndValues {
		switch v := v.(type) {
		case int:
			*f = append(*f, strconv.Itoa(v))
		case int64:
			*f = append(*f, strconv.FormatInt(v, 10))
		default:
			*f = append(*f, v)
		}
	}
}

// state is what the descriptions of all kinds have.
type state struct {
	kind, name, host, runID string
	port                    int
	down                    time.Time
	sdown, odown            bool
	flags                   string // further ones
}

// begin adds what all kinds have.
func (f *fields) begin(m *master, s state, now time.Time) {
	var flags []string
	for _, flag := range []struct {
		name string
		on   bool
	}{{"s_down", s.sdown}, {"o_down", s.odown}, {s.kind, true}, {"disconnected", !s.down.IsZero()},
		{s.flags, s.flags != ""}} {
		if flag.on {
			flags = append(flags, flag.name)
		}
	}
	var downFor int64
	if !s.down.IsZero() {
		downFor = now.Sub(s.down).Milliseconds()
	}
	f.add("name", s.name, "ip", s.host, "port", s.port, "runid", s.runID, "flags", strings.Join(flags, ","),
		"link-pending-commands", 0, "link-refcount", 1, "last-ping-sent", downFor, "last-ok-ping-reply", downFor,
		"last-ping-reply", downFor)
	if s.sdown {
		f.add("s-down-time", max(0, downFor-m.downAfter))
	}
	if s.odown {
		f.add("o-down-time", max(0, downFor-m.downAfter))
	}
	f.add("down-after-milliseconds", m.downAfter)
}

func (f *fields) addRole(i *instance, now time.Time) {
	role := "master"
	if i.follows != "" {
		role = "slave"
	}
	f.add("info-refresh", 0, "role-reported", role, "role-reported-time", now.Sub(i.since).Milliseconds())
}

func (m *master) show(now time.Time) resp.Value {
	var f fields
	f.begin(m, state{kind: "master", name: m.name, host: m.host, port: m.port, runID: m.runID, down: m.down,
		sdown: m.sdown, odown: m.odown, flags: m.failing}, now)
	f.addRole(&m.instance, now)
	f.add("config-epoch", m.configEpoch, "num-slaves", len(m.replicas), "num-other-sentinels", len(m.sentinels),
		"quorum", m.quorum, "failover-timeout", m.failoverTimeout, "parallel-syncs", m.parallelSyncs)
	return command.Fields(f...)
}

func (m *master) showReplica(r *instance, now time.Time) resp.Value {
	var f fields
	f.begin(m, state{kind: "slave", name: r.name, host: r.host, port: r.port, runID: r.runID, down: r.down,
		sdown: r.sdown}, now)
	f.addRole(r, now)
	link, host, port := "err", "?", "0"
	if r.linkUp {
		link = "ok"
	}
	if r.follows != "" {
		host, port, _ = net.SplitHostPort(r.follows)
	}
	announced := 0
	if r.announced {
		announced = 1
	}
	f.add("master-link-down-time", 1000*r.lostFor, "master-link-status", link, "master-host", host, "master-port", port,
		"slave-priority", r.priority, "slave-repl-offset", r.offset, "replica-announced", announced)
	return command.Fields(f...)
}

func (m *master) showPeer(p *peer, now time.Time) resp.Value {
	var f fields
	f.begin(m, state{kind: "sentinel", name: p.id, host: p.host, port: p.port, runID: p.id, down: p.down,
		sdown: p.sdown}, now)
	leader, epoch := "?", int64(0)
	if other := p.node.find(m.name); other != nil && p.down.IsZero() && other.leader != "" {
		leader, epoch = other.leader, other.leaderEpoch
	}
	f.add("last-hello-message", 0, "voted-leader", leader, "voted-leader-epoch", epoch)
	return command.Fields(f...)
}

// showMaster implements SENTINEL MASTER.
func showMaster(c *command.Call) resp.Value {
	return onMaster(c, func(n *Node, m *master) resp.Value { return m.show(n.group.clock.Now()) })
}

// showMasters implements SENTINEL MASTERS.
func showMasters(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	return list(n.masters, func(m *master) resp.Value { return m.show(n.group.clock.Now()) })
}

// showReplicas implements SENTINEL REPLICAS. Those that are not announced are left out.
func showReplicas(c *command.Call) resp.Value {
	return onMaster(c, func(n *Node, m *master) resp.Value {
		var all []*instance
		for _, r := range m.replicas {
			if r.announced || !r.seen {
				all = append(all, r)
			}
		}
		return list(all, func(r *instance) resp.Value { return m.showReplica(r, n.group.clock.Now()) })
	})
}

// showSentinels implements SENTINEL SENTINELS.
func showSentinels(c *command.Call) resp.Value {
	return onMaster(c, func(n *Node, m *master) resp.Value {
		return list(m.sentinels, func(p *peer) resp.Value { return m.showPeer(p, n.group.clock.Now()) })
	})
}

func list[T any](all []T, show func(T) resp.Value) resp.Value {
	values := make([]resp.Value, len(all))
	for i, v := range all {
		values[i] = show(v)
	}
	return resp.Array(values...)
}

// Info implements command.Sentinel.
func (n *Node) Info() string {
	n.group.mu.Lock()
	defer n.group.mu.Unlock()
	var text strings.Builder
	fmt.Fprintf(&text, "sentinel_masters:%d\r\nsentinel_tilt:0\r\nsentinel_tilt_since_seconds:-1\r\n"+
		"sentinel_running_scripts:0\r\nsentinel_scripts_queue_length:0\r\nsentinel_simulate_failure_flags:%d\r\n",
		len(n.masters), n.crash)
	for i, m := range n.masters {
		status := cmp.Or(map[bool]string{m.odown: "odown"}[true], map[bool]string{m.sdown: "sdown"}[true], "ok")
		fmt.Fprintf(&text, "master%d:name=%s,status=%s,address=%s,slaves=%d,sentinels=%d\r\n", i, m.name, status, m.addr(),
			len(m.replicas), len(m.sentinels)+1)
	}
	return text.String()
}
