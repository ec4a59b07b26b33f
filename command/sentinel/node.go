package sentinel

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/pubsub"
)

// Node is one sentinel. All methods are safe for concurrent use.
type Node struct {
	env   *command.Env
	group *group

	// The mutex of group guards what follows.
	id      string
	epoch   int64
	masters []*master
	params  parameters
	times   times
	crash   int64 // see simulateFailure
}

// New returns the part of a server that is a sentinel. The server must be in a network.
func New(env *command.Env) command.Sentinel {
	n := &Node{env: env, id: env.RunID(), params: defaultParameters(), times: defaultTimes}
	n.group = groupOf(env)
	n.group.join(n)
	return n
}

// NodeOf returns the part of a server that is a sentinel.
func NodeOf(env *command.Env) *Node { return env.Sentinel.(*Node) }

// Close implements command.Sentinel.
func (n *Node) Close() { n.group.leave(n) }

// Monitor makes the sentinel watch a master. downAfter is the default if it is 0.
func (n *Node) Monitor(name, host string, port int, quorum int64, downAfter time.Duration) {
	n.group.mu.Lock()
	m := n.monitorLocked(name, host, port, quorum)
	m.downAfter = cmp.Or(downAfter.Milliseconds(), m.downAfter)
	n.group.mu.Unlock()
	n.group.changed()
}

// MasterAddr returns the address of a master, "" if the sentinel watches none of that name.
func (n *Node) MasterAddr(name string) string {
	n.group.mu.Lock()
	defer n.group.mu.Unlock()
	if m := n.find(name); m != nil {
		return m.addr()
	}
	return ""
}

func (n *Node) monitorLocked(name, host string, port int, quorum int64) *master {
	m := &master{instance: instance{name: name, host: host, port: port}, quorum: quorum,
		downAfter: n.times.get("default-down-after"), failoverTimeout: n.times.get("default-failover-timeout"),
		parallelSyncs: 1}
	n.masters = append(n.masters, m)
	n.publish("+monitor", m.describe()+" quorum "+strconv.FormatInt(quorum, 10))
	return m
}

// Look lets the sentinels see how things are, and returns once they have done what follows from that.
func (n *Node) Look() { n.group.look() }

// find returns the master of a name, nil if there is none.
func (n *Node) find(name string) *master {
	i := slices.IndexFunc(n.masters, func(m *master) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return n.masters[i]
}

// publish sends an event to the clients of the sentinel.
func (n *Node) publish(event, text string) { n.env.PubSub.Publish(nil, pubsub.Channel, event, text) }

// addr is where the sentinel says that it is.
func (n *Node) addr() (host string, port int) {
	host, port = cmp.Or(n.params["announce-ip"], n.env.Member.Host), n.env.Member.Port
	if announced, _ := strconv.Atoi(n.params["announce-port"]); announced != 0 {
		port = announced
	}
	return host, port
}

// instance is a master or a replica as a sentinel sees it.
type instance struct {
	name string
	host string
	port int

	runID     string
	down      time.Time // since when it is not reached; the zero time if it is
	sdown     bool      // for longer than down-after-milliseconds
	follows   string    // the address of its master, "" if it says that it is one
	since     time.Time // when it began to follow that one
	seen      bool      // it was reached at least once
	outdated  bool      // the master has changed, and it has not been told yet
	priority  int64
	offset    int64
	linkUp    bool
	lostFor   int64 // seconds
	announced bool
}

func (i *instance) addr() string { return network.Addr(i.host, i.port) }

// server returns the server of the instance if the sentinel reaches it, else nil.
func (n *Node) server(i *instance) *command.Env {
	m := n.env.Network.Named(i.addr())
	if m == nil || !n.env.Network.Hears(n.env.Member, m) {
		return nil
	}
	env, _ := m.Data.(*command.Env)
	return env
}

// hears reports whether the sentinel gets answers of another one.
func (n *Node) hears(other *Node) bool { return n.env.Network.Hears(n.env.Member, other.env.Member) }

// read updates what the instance says of itself. event is +role-change, -role-change, +reboot or "".
func (i *instance) read(env *command.Env, now time.Time) (event string) {
	role := replication.NodeOf(env).Role()
	was, first := i.follows, !i.seen
	i.follows, i.offset, i.linkUp, i.lostFor, i.seen = "", role.Acked, false, 0, true
	if m := role.Master; m != nil {
		i.follows = network.Addr(m.Host, m.Port)
		i.linkUp, i.lostFor = m.State == "connected", max(m.DownFor, 0)
	}
	i.priority, _ = command.ParseInt([]byte(env.Config.Get("replica-priority")))
	i.announced = env.Config.Get("replica-announced") == "yes"
	if was != i.follows || first {
		i.since = now
	}
	rebooted := i.runID != "" && i.runID != env.RunID()
	i.runID = env.RunID()
	switch {
	case rebooted:
		return "+reboot"
	case first || (was == "") == (i.follows == ""):
		return ""
	case i.follows == "":
		return "-role-change"
	}
	return "+role-change"
}
