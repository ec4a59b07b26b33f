package sentinel

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
)

var (
	errNoMaster      = errors.New("ERR No such master with that name")
	errInProgress    = errors.New("INPROG Failover already in progress")
	errNoGoodReplica = errors.New("NOGOODSLAVE No suitable replica to promote")
	errOnlyHello     = errors.New("ERR Only HELLO messages are accepted by Sentinel instances.")
	errDuplicate     = errors.New("ERR Duplicate master name.")
	errQuorum        = errors.New("ERR Invalid quorum")
	errLowQuorum     = errors.New("ERR Quorum must be 1 or greater.")
	errPort          = errors.New("ERR Invalid port")
	errPortNumber    = errors.New("ERR Invalid port number.")
	errHost          = errors.New("ERR Invalid IP address or hostname specified")
	errFailure       = errors.New("ERR Unknown failure simulation specified")
)

// hello is the channel on which sentinels tell of themselves.
const hello = "__sentinel__:hello"

// locked returns the sentinel of a call, whose group is locked, and what unlocks it.
func locked(c *command.Call) (n *Node, unlock func()) {
	n = NodeOf(c.Env())
	n.group.mu.Lock()
	return n, n.group.mu.Unlock
}

// onMaster returns the result of f for the master that argument 2 names.
func onMaster(c *command.Call, f func(n *Node, m *master) resp.Value) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	m := n.find(string(c.Arg(2)))
	if m == nil {
		return c.Fail(errNoMaster)
	}
	return f(n, m)
}

// role implements ROLE.
func role(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	names := make([]string, len(n.masters))
	for i, m := range n.masters {
		names[i] = m.name
	}
	return resp.Array(resp.BulkString("sentinel"), resp.Strings(names))
}

// publish implements PUBLISH, for what sentinels say of themselves only. Those of this process have no need for it.
func publish(c *command.Call) resp.Value {
	if string(c.Arg(1)) != hello {
		return c.Fail(errOnlyHello)
	}
	c.Publish(pubsub.Channel, c.Arg(1), c.Arg(2))
	return resp.Int(1)
}

// addrByName implements SENTINEL GET-MASTER-ADDR-BY-NAME.
func addrByName(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	m := n.find(string(c.Arg(2)))
	if m == nil {
		return resp.NullArray
	}
	return resp.Strings([]string{m.host, strconv.Itoa(m.port)})
}

// ckQuorum implements SENTINEL CKQUORUM.
func ckQuorum(c *command.Call) resp.Value {
	return onMaster(c, func(n *Node, m *master) resp.Value {
		usable := int64(1)
		for _, p := range m.sentinels {
			if !p.sdown && n.hears(p.node) {
				usable++
			}
		}
		var lacks []string
		if usable < m.quorum {
			lacks = append(lacks, "Not enough available Sentinels to reach the specified quorum for this master")
		}
		if usable < int64(len(m.sentinels)+1)/2+1 {
			lacks = append(lacks, "Not enough available Sentinels to reach the majority and authorize a failover")
		}
		if lacks == nil {
			return resp.Status(fmt.Sprintf("OK %d usable Sentinels. Quorum and failover authorization can be reached", usable))
		}
		return resp.Error(fmt.Sprintf("NOQUORUM %d usable Sentinels. %s", usable, strings.Join(lacks, ". ")))
	})
}

// failover implements SENTINEL FAILOVER. The reply comes when the failover is over, not when it has begun.
func failover(c *command.Call) resp.Value {
	n, name := NodeOf(c.Env()), string(c.Arg(2))
	return c.Background(func() resp.Value {
		if err := n.failOver(name); err != nil {
			return resp.Error(err.Error())
		}
		return resp.OK
	})
}

// flushConfig implements SENTINEL FLUSHCONFIG: there is no file.
func flushConfig(*command.Call) resp.Value { return resp.OK }

// pendingScripts implements SENTINEL PENDING-SCRIPTS: sentinels run no scripts.
func pendingScripts(*command.Call) resp.Value { return resp.Array() }

// myID implements SENTINEL MYID.
func myID(c *command.Call) resp.Value { return resp.BulkString(NodeOf(c.Env()).id) }

// isDown implements SENTINEL IS-MASTER-DOWN-BY-ADDR: whether the sentinel does not reach the master, and for whom it
// has voted. A run ID asks for its vote.
func isDown(c *command.Call) resp.Value {
	port, err := c.Int(3)
	if err != nil {
		return c.Fail(err)
	}
	epoch, err := c.Int(4)
	if err != nil {
		return c.Fail(err)
	}
	n, unlock := locked(c)
	defer unlock()
	down, leader, leaderEpoch := int64(0), "*", int64(0)
	for _, m := range n.masters {
		if m.host != string(c.Arg(2)) || int64(m.port) != port {
			continue
		}
		if m.sdown {
			down = 1
		}
		if id := string(c.Arg(5)); id != "*" {
			n.newEpoch(epoch)
			if m.leaderEpoch < epoch && n.epoch <= epoch {
				m.leader, m.leaderEpoch = id, epoch
				n.publish("+vote-for-leader", id+" "+strconv.FormatInt(epoch, 10))
			}
			if m.leader != "" {
				leader, leaderEpoch = m.leader, m.leaderEpoch
			}
		}
	}
	return resp.Array(resp.Int(down), resp.BulkString(leader), resp.Int(leaderEpoch))
}

// monitor implements SENTINEL MONITOR.
func monitor(c *command.Call) resp.Value {
	quorum, err := c.Int(5)
	if err != nil {
		return c.Fail(errQuorum)
	}
	port, err := c.Int(4)
	if err != nil {
		return c.Fail(errPort)
	}
	n, unlock := locked(c)
	defer unlock()
	host := string(c.Arg(3))
	switch {
	case quorum <= 0:
		return c.Fail(errLowQuorum)
	case net.ParseIP(host) == nil && host != "localhost" && n.params["resolve-hostnames"] != "yes":
		return c.Fail(errHost)
	case port < 0 || port > 65535:
		return c.Fail(errPortNumber)
	case n.find(string(c.Arg(2))) != nil:
		return c.Fail(errDuplicate)
	}
	n.monitorLocked(string(c.Arg(2)), host, int(port), quorum)
	n.group.changed()
	return resp.OK
}

// remove implements SENTINEL REMOVE.
func remove(c *command.Call) resp.Value {
	return onMaster(c, func(n *Node, m *master) resp.Value {
		n.publish("-monitor", m.describe())
		n.masters = slices.DeleteFunc(slices.Clone(n.masters), func(other *master) bool { return other == m })
		return resp.OK
	})
}

// reset implements SENTINEL RESET: masters whose names match forget their replicas and sentinels, which are found
// again.
func reset(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	var count int64
	for _, m := range n.masters {
		if glob.Match(string(c.Arg(2)), m.name) {
			count++
			m.replicas, m.sentinels = nil, nil
			m.instance = instance{name: m.name, host: m.host, port: m.port}
			m.odown, m.tried, m.leader = false, false, ""
			n.publish("+reset-master", m.describe())
		}
	}
	n.group.changed()
	return resp.Int(count)
}

// The ways to end a sentinel, for SENTINEL SIMULATE-FAILURE.
const (
	crashAfterElection = 1 << iota
	crashAfterPromotion
)

// simulateFailure implements SENTINEL SIMULATE-FAILURE.
func simulateFailure(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	for i := 2; i < c.Len(); i++ {
		switch {
		case c.Is(i, "crash-after-election"):
			n.crash |= crashAfterElection
		case c.Is(i, "crash-after-promotion"):
			n.crash |= crashAfterPromotion
		case c.Is(i, "help"):
			return resp.Strings([]string{"crash-after-election", "crash-after-promotion"})
		default:
			return c.Fail(errFailure)
		}
	}
	return resp.OK
}
