package sentinel

import (
	"fmt"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/network"
)

// master is a master that a sentinel watches, with its replicas and the other sentinels.
type master struct {
	instance
	quorum          int64
	downAfter       int64 // milliseconds
	failoverTimeout int64 // milliseconds
	parallelSyncs   int64
	rebootDownAfter int64 // milliseconds
	authUser        string
	authPass        string
	renamed         map[string]string

	odown       bool
	configEpoch int64
	leader      string // that the sentinel has voted for last
	leaderEpoch int64
	failing     string // the flags while a failover runs; "" else
	tried       bool   // a failover was not possible; it is tried again when something changes
	triedState  string // what did not change since

	replicas  []*instance
	sentinels []*peer
}

// peer is another sentinel of a master.
type peer struct {
	node  *Node
	id    string
	host  string
	port  int
	down  time.Time
	sdown bool
}

// describe is how events name a master.
func (m *master) describe() string { return fmt.Sprintf("master %s %s %d", m.name, m.host, m.port) }

func (m *master) describeReplica(r *instance) string {
	return fmt.Sprintf("slave %s %s %d @ %s %s %d", r.name, r.host, r.port, m.name, m.host, m.port)
}

func (m *master) describePeer(p *peer) string {
	return fmt.Sprintf("sentinel %s %s %d @ %s %s %d", p.id, p.host, p.port, m.name, m.host, m.port)
}

// observe updates what the sentinel knows of the master, its replicas and the other sentinels.
func (m *master) observe(n *Node, now time.Time) {
	m.observeInstance(n, &m.instance, m.describe(), now)
	m.findReplicas(n)
	m.findSentinels(n)
	for _, r := range m.replicas {
		m.observeInstance(n, r, m.describeReplica(r), now)
	}
	for _, p := range m.sentinels {
		if n.hears(p.node) {
			p.host, p.port = p.node.addr()
		}
		m.reach(n, n.hears(p.node), &p.down, &p.sdown, m.describePeer(p), now)
	}
}

func (m *master) observeInstance(n *Node, i *instance, text string, now time.Time) {
	env := n.server(i)
	m.reach(n, env != nil, &i.down, &i.sdown, text, now)
	if env == nil {
		return
	}
	switch event := i.read(env, now); event {
	case "":
	case "+reboot":
		n.publish(event, text)
	default:
		role := "master"
		if i.follows != "" {
			role = "slave"
		}
		n.publish(event, text+" new reported role is "+role)
	}
	if i.outdated && i.follows == m.addr() {
		i.outdated = false
	}
}

// reach notes whether something is reached, and publishes +sdown or -sdown.
func (m *master) reach(n *Node, reached bool, down *time.Time, sdown *bool, text string, now time.Time) {
	switch {
	case reached:
		if *sdown {
			n.publish("-sdown", text)
		}
		*down, *sdown = time.Time{}, false
	case down.IsZero():
		*down = now
	}
	if !reached && !*sdown && !now.Before(down.Add(ms(m.downAfter))) {
		*sdown = true
		n.publish("+sdown", text)
	}
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// findReplicas adds the replicas that the master tells of, and those of the network that follow it.
func (m *master) findReplicas(n *Node) {
	env := n.server(&m.instance)
	if env == nil || m.follows != "" {
		return
	}
	for _, member := range n.env.Network.Members() {
		other, _ := member.Data.(*command.Env)
		if other != nil && other.Replication != nil && env.Network.Reaches(env.Member, member) &&
			replication.NodeOf(other).MasterAddr() == m.addr() {
			m.addReplica(n, member.Host, member.Port)
		}
	}
	for _, r := range replication.NodeOf(env).Role().Replicas {
		m.addReplica(n, r.Host, r.Port)
	}
}

func (m *master) addReplica(n *Node, host string, port int) *instance {
	name := network.Addr(host, port)
	for _, r := range m.replicas {
		if r.name == name {
			return r
		}
	}
	r := &instance{name: name, host: host, port: port}
	m.replicas = append(m.replicas, r)
	n.publish("+slave", m.describeReplica(r))
	return r
}

// findSentinels adds the other sentinels that watch a master of the same name.
func (m *master) findSentinels(n *Node) {
	for _, other := range n.group.nodes {
		if other == n || other.find(m.name) == nil || !n.hears(other) || m.peerOf(other) != nil {
			continue
		}
		p := &peer{node: other, id: other.id}
		p.host, p.port = other.addr()
		m.sentinels = append(m.sentinels, p)
		n.publish("+sentinel", m.describePeer(p))
	}
}

func (m *master) peerOf(node *Node) *peer {
	for _, p := range m.sentinels {
		if p.node == node {
			return p
		}
	}
	return nil
}

// agree takes over a newer configuration of another sentinel, and compares with the others whether the master is down.
func (m *master) agree(n *Node) {
	for _, p := range m.sentinels {
		other := p.node.find(m.name)
		if other == nil || !n.hears(p.node) || other.configEpoch <= m.configEpoch {
			continue
		}
		n.newEpoch(p.node.epoch)
		if m.addr() != other.addr() {
			n.publish("+config-update-from", m.describePeer(p))
			m.switchTo(n, other.host, other.port)
		}
		m.configEpoch = other.configEpoch
	}
	agreeing := m.agreeing(n)
	switch down := m.sdown && agreeing >= m.quorum; {
	case down && !m.odown:
		m.odown = true
		n.publish("+odown", fmt.Sprintf("%s #quorum %d/%d", m.describe(), agreeing, m.quorum))
	case !down && m.odown:
		m.odown = false
		n.publish("-odown", m.describe())
	}
}

// agreeing is how many sentinels do not reach the master for too long, as far as this one is told.
func (m *master) agreeing(n *Node) (count int64) {
	if m.sdown {
		count++
	}
	for _, p := range m.sentinels {
		other := p.node.find(m.name)
		if other != nil && n.hears(p.node) && other.sdown && other.addr() == m.addr() {
			count++
		}
	}
	return count
}

// newEpoch notes that the sentinels have come to a later epoch.
func (n *Node) newEpoch(epoch int64) {
	if epoch > n.epoch {
		n.epoch = epoch
		n.publish("+new-epoch", strconv.FormatInt(epoch, 10))
	}
}

// switchTo makes one of the replicas the master that the sentinel watches.
func (m *master) switchTo(n *Node, host string, port int) {
	n.publish("+switch-master", fmt.Sprintf("%s %s %d %s %d", m.name, m.host, m.port, host, port))
	old := append(m.replicas, &m.instance)
	oldHost, oldPort := m.host, m.port
	m.instance = instance{name: m.name, host: host, port: port}
	m.odown, m.tried, m.replicas = false, false, nil
	addr := m.addr()
	for _, r := range old[:len(old)-1] {
		if r.addr() != addr {
			m.addReplica(n, r.host, r.port).outdated = true
		}
	}
	if (&instance{host: oldHost, port: oldPort}).addr() != addr {
		m.addReplica(n, oldHost, oldPort).outdated = true
	}
}
