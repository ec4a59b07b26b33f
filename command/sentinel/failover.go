package sentinel

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command/replication"
)

// repairAfter is how long a server may follow another master than the one that the sentinels know, or none, in publish
// periods, until a sentinel repairs it.
const repairAfter = 4

// decide returns what the sentinel has to do; nil for nothing.
func (m *master) decide(n *Node, now time.Time) (act func()) {
	switch {
	case m.failing != "":
		return nil
	case m.odown && !(m.tried && m.triedState == m.state(n)):
		return m.elect(n)
	case n.server(&m.instance) == nil:
		return nil
	case m.follows != "":
		m.adopt(n)
		return nil
	}
	for _, r := range m.replicas {
		if m.isWrong(n, r) && (r.outdated || !now.Before(r.since.Add(n.repairPeriod()))) {
			return m.repair(n, r)
		}
	}
	return nil
}

func (n *Node) repairPeriod() time.Duration { return repairAfter * ms(n.times.get("publish-period")) }

// due makes next the time when the sentinel has to look again, if that is earlier.
func (m *master) due(n *Node, next *time.Time) {
	at := func(t time.Time) {
		if next.IsZero() || t.Before(*next) {
			*next = t
		}
	}
	limit := ms(m.downAfter)
	for _, i := range append(slices.Clone(m.replicas), &m.instance) {
		if !i.down.IsZero() && !i.sdown {
			at(i.down.Add(limit))
		}
	}
	for _, p := range m.sentinels {
		if !p.down.IsZero() && !p.sdown {
			at(p.down.Add(limit))
		}
	}
	if n.server(&m.instance) == nil || m.follows != "" {
		return
	}
	for _, r := range m.replicas {
		if m.isWrong(n, r) {
			at(r.since.Add(n.repairPeriod()))
		}
	}
}

// state is what a failover depends on, in a form to compare.
func (m *master) state(n *Node) string {
	var text strings.Builder
	for _, r := range m.replicas {
		text.WriteString(r.name + strconv.FormatBool(n.server(r) != nil) + strconv.FormatInt(r.priority, 10) + " ")
	}
	for _, p := range m.sentinels {
		text.WriteString(p.id + strconv.FormatBool(n.hears(p.node)) + " ")
	}
	return text.String() + strconv.FormatInt(m.quorum, 10)
}

// isWrong reports whether a replica that is reached follows another master, or none.
func (m *master) isWrong(n *Node, r *instance) bool {
	return r.seen && n.server(r) != nil && r.follows != m.addr()
}

// repair makes a replica follow the master.
func (m *master) repair(n *Node, r *instance) func() {
	env, host, port := n.server(r), m.host, m.port
	event := "+fix-slave-config"
	if r.follows == "" {
		event = "+convert-to-slave"
	}
	n.publish(event, m.describeReplica(r))
	return func() {
		node := replication.NodeOf(env)
		node.BecomeReplica(host, port)
		if event == "+convert-to-slave" {
			node.DropClients(nil)
		}
	}
}

// adopt takes over that a replica has become the master by other means, and the master follows it.
func (m *master) adopt(n *Node) {
	for _, r := range m.replicas {
		if r.name == m.follows && n.server(r) != nil && r.follows == "" {
			n.newEpoch(n.epoch + 1)
			m.configEpoch = n.epoch
			m.switchTo(n, r.host, r.port)
			n.group.changed()
			return
		}
	}
}

// elect begins a failover: the sentinel asks the others for their votes. Those that it reaches vote for it, since none
// of them asks at the same time.
func (m *master) elect(n *Node) func() {
	n.newEpoch(n.epoch + 1)
	n.publish("+try-failover", m.describe())
	votes := int64(1)
	m.vote(n, n)
	for _, p := range m.sentinels {
		if other := p.node.find(m.name); other != nil && n.hears(p.node) {
			p.node.newEpoch(n.epoch)
			other.vote(p.node, n)
			votes++
		}
	}
	if majority := int64(len(m.sentinels)+1)/2 + 1; votes < max(majority, m.quorum) {
		n.publish("-failover-abort-not-elected", m.describe())
		m.tried, m.triedState = true, m.state(n)
		return nil
	}
	n.publish("+elected-leader", m.describe())
	if n.crash&crashAfterElection != 0 {
		return n.env.Clients.Shutdown
	}
	return m.begin(n)
}

func (m *master) vote(n, leader *Node) {
	m.leader, m.leaderEpoch = leader.id, leader.epoch
	n.publish("+vote-for-leader", leader.id+" "+strconv.FormatInt(leader.epoch, 10))
}

// begin selects the replica that becomes master, and returns what makes it so; nil if there is none.
func (m *master) begin(n *Node) func() {
	n.publish("+failover-state-select-slave", m.describe())
	best := m.best(n)
	if best == nil {
		n.publish("-failover-abort-no-good-slave", m.describe())
		m.tried, m.triedState = true, m.state(n)
		return nil
	}
	text := m.describeReplica(best)
	n.publish("+selected-slave", text)
	n.publish("+failover-state-send-slaveof-noone", text)
	n.publish("+failover-state-wait-promotion", text)
	m.failing = "failover_in_progress"
	epoch, promote := n.epoch, m.promotion(n, best)
	return func() {
		err := promote()
		n.group.mu.Lock()
		defer n.group.mu.Unlock()
		m.failing = ""
		if err != nil {
			n.env.Log.Warn("a replica does not become master", "replica", best.name, "error", err)
			n.publish("-failover-abort-slave-timeout", m.describe())
			m.tried, m.triedState = true, m.state(n)
			return
		}
		if n.crash&crashAfterPromotion != 0 {
			n.env.Clients.Shutdown()
			return
		}
		m.finish(n, best, epoch)
	}
}

// best returns the replica with the lowest priority that is not 0, of these the one that has applied most, then the one
// with the least ID; nil if none is reached.
func (m *master) best(n *Node) *instance {
	var good []*instance
	for _, r := range m.replicas {
		if n.server(r) != nil && !r.sdown && r.priority != 0 {
			good = append(good, r)
		}
	}
	if len(good) == 0 {
		return nil
	}
	return slices.MinFunc(good, func(a, b *instance) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.offset, a.offset), cmp.Compare(a.runID, b.runID))
	})
}

// promotion returns what makes a replica the master. A master that is reached hands over, so that nothing is lost but
// what the lag of the replica holds back; else the sentinel does it. The mutex of the group must not be locked then.
func (m *master) promotion(n *Node, best *instance) func() error {
	hold, host, port, addr := n.env.Network.Hold, best.host, best.port, best.addr()
	if env := n.server(&m.instance); env != nil && m.follows == "" {
		return func() error { return replication.NodeOf(env).FailOver(addr, nil) }
	}
	next := replication.NodeOf(n.server(best))
	var others []*replication.Node
	for _, r := range m.replicas {
		if env := n.server(r); env != nil && r != best {
			others = append(others, replication.NodeOf(env))
		}
	}
	return func() error {
		defer hold()()
		next.BecomeMaster()
		for _, other := range others {
			other.BecomeReplica(host, port)
		}
		return nil
	}
}

// finish publishes the rest of a failover and watches the new master.
func (m *master) finish(n *Node, best *instance, epoch int64) {
	n.publish("-role-change", m.describeReplica(best)+" new reported role is master")
	n.publish("+promoted-slave", m.describeReplica(best))
	n.publish("+failover-state-reconf-slaves", m.describe())
	for _, r := range m.replicas {
		if r == best || n.server(r) == nil {
			continue
		}
		for _, event := range []string{"+slave-reconf-sent", "+slave-reconf-inprog", "+slave-reconf-done"} {
			n.publish(event, m.describeReplica(r))
		}
	}
	n.publish("+failover-end", m.describe())
	m.configEpoch = epoch
	m.switchTo(n, best.host, best.port)
	n.group.changed()
}

// failOver runs a failover that a client asks for, and returns once it is over.
func (n *Node) failOver(name string) error {
	n.group.turn <- struct{}{}
	defer func() { <-n.group.turn }()
	act, err := n.forceFailover(name)
	if err != nil {
		return err
	}
	if act != nil {
		act()
	}
	n.group.lookInTurn()
	return nil
}

func (n *Node) forceFailover(name string) (act func(), err error) {
	n.group.mu.Lock()
	defer n.group.mu.Unlock()
	m := n.find(name)
	switch {
	case m == nil:
		return nil, errNoMaster
	case m.failing != "":
		return nil, errInProgress
	}
	m.observe(n, n.group.clock.Now())
	if m.best(n) == nil {
		return nil, errNoGoodReplica
	}
	n.newEpoch(n.epoch + 1)
	n.publish("+try-failover", m.describe())
	m.vote(n, n)
	n.publish("+elected-leader", m.describe())
	act = m.begin(n)
	m.failing += ",force_failover"
	return act, nil
}
