// Package replication makes a server the master of replicas, or a replica of another server, by Redis' own protocol
// (PSYNC): so a replica may be a server of this process or a redis-server, and so may a master. It has the commands for
// that: REPLICAOF, PSYNC, REPLCONF, ROLE, WAIT, FAILOVER. It is a part of the server, not an API.
//
// A master numbers the bytes of the commands that change its data (history.go) and pushes them to the connections of
// its replicas (psync.go). A replica has one connection to its master (link.go) and applies what arrives in order, each
// unit in one transaction (inbox.go). A test may make it lag behind.
package replication

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errReadOnly   = errors.New("READONLY You can't write against a read only replica.")
	errNoReplicas = errors.New("NOREPLICAS Not enough good replicas to write.")
	errMasterDown = errors.New("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.")
)

// Node is the place of a server in replication. All methods are safe for concurrent use.
type Node struct {
	env     *command.Env
	history history
	lag     atomic.Pointer[Lag] // of this server as a replica

	failover failoverState
	work     sync.WaitGroup // goroutines that change roles

	mu   lockrank.Mutex[lockrank.Replication] // guards link
	link *link                                // nil for a master
}

// NewNode returns the part of a server that starts as a master.
func NewNode(env *command.Env) command.Replication {
	n := &Node{env: env}
	n.lag.Store(new(Lag))
	n.history.init(env)
	return n
}

// NodeOf returns the part of a server.
func NodeOf(env *command.Env) *Node { return env.Replication.(*Node) }

// Propagate implements command.Replication.
func (n *Node) Propagate(w *command.Writes) { n.history.add(w) }

// Removal implements command.Replication.
func (n *Node) Removal(r store.Removal) [][]byte {
	if r.Field != nil {
		return [][]byte{[]byte("HDEL"), r.Key, r.Field}
	}
	parameter := "lazyfree-lazy-expire"
	if r.Evicted {
		parameter = "lazyfree-lazy-eviction"
	}
	if n.env.Config.Get(parameter) == "yes" {
		return [][]byte{[]byte("UNLINK"), r.Key}
	}
	return [][]byte{[]byte("DEL"), r.Key}
}

// AppendSelect implements command.Replication.
func (n *Node) AppendSelect(dst []byte, db int) []byte {
	return resp.AppendCommand(dst, []byte("SELECT"), strconv.AppendInt(nil, int64(db), 10))
}

// DataReplaced implements command.Replication.
func (n *Node) DataReplaced() {
	if n.current() == nil {
		n.history.renew()
	}
}

// Drop implements command.Replication.
func (n *Node) Drop(s *command.Session) { n.history.drop(s) }

// Close implements command.Replication.
func (n *Node) Close() {
	n.history.close()
	n.work.Wait()
	if l := n.current(); l != nil {
		l.stop()
		l.done.Wait()
	}
}

// Good implements command.Replication.
func (n *Node) Good() int64 { return n.history.good() }

// current returns the connection to the master, nil if this is one.
func (n *Node) current() *link {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.link
}

// Reject implements command.Replication.
func (n *Node) Reject(_ *command.Session, flags command.Flags) error {
	cfg := n.env.Config
	switch l := n.current(); {
	case l != nil && flags.Has(command.Write) && cfg.Get("replica-read-only") == "yes":
		return errReadOnly
	case l != nil:
		return l.rejectStale(flags)
	case flags.Has(command.Write) && cfg.NeedsReplicas() && n.history.good() < cfg.MinReplicas():
		return errNoReplicas
	}
	return nil
}

// Follow makes the server a replica of another one, as REPLICAOF does. The transaction must hold all shards, so that
// nothing is applied meanwhile.
func (n *Node) Follow(tx *store.Tx, host string, port int) { n.follow(tx, newLink(n, host, port)) }

// follow is Follow with a connection that has not been started. Clients that wait for a key are disconnected.
func (n *Node) follow(tx *store.Tx, l *link) {
	old := n.replaceLink(l)
	if old == nil {
		n.env.Clients.Each((*command.Session).UnblockByRole)
	}
	n.env.FeedReplicas(false)
	n.env.FollowMaster(tx, true)
	n.history.disconnect()
	l.start(old)
	n.changed()
}

// replaceLink stops the connection to the master and returns it, nil if there is none, and takes another one instead;
// nil for none.
func (n *Node) replaceLink(l *link) (old *link) {
	n.mu.Lock()
	defer n.mu.Unlock()
	old, n.link = n.link, l
	if old != nil {
		old.stop()
	}
	master := ""
	if l != nil {
		master = l.host + " " + strconv.Itoa(l.port)
	}
	n.env.Config.SetFixed("replicaof", master)
	return old
}

// Promote makes the server a master, as REPLICAOF NO ONE does: what it has received and not applied yet is lost. It
// reports false if it is one already. The transaction must hold all shards.
func (n *Node) Promote(tx *store.Tx) bool {
	if n.current() == nil {
		return false
	}
	n.replaceLink(nil)
	n.history.begin()
	n.env.FollowMaster(tx, false)
	n.env.FeedReplicas(n.history.active())
	n.changed()
	return true
}

// FollowConfigured makes the server follow the master that the parameter replicaof names, if it does.
func (n *Node) FollowConfigured() {
	host, port, ok := strings.Cut(n.env.Config.Get("replicaof"), " ")
	if number, err := strconv.Atoi(port); ok && err == nil {
		n.BecomeReplica(host, number)
	}
}

// changed tells the network that the server has another role, or another master.
func (n *Node) changed() {
	if n.env.Network != nil {
		n.env.Network.Changed()
	}
}

// hold keeps changes of roles from those who watch the network, until done is called.
func (n *Node) hold() (done func()) {
	if n.env.Network == nil {
		return func() {}
	}
	return n.env.Network.Hold()
}

// BecomeMaster is Promote in a transaction of its own.
func (n *Node) BecomeMaster() { n.env.Store.Exclusively(func(tx *store.Tx) { n.Promote(tx) }) }

// BecomeReplica is Follow in a transaction of its own.
func (n *Node) BecomeReplica(host string, port int) {
	n.env.Store.Exclusively(func(tx *store.Tx) { n.Follow(tx, host, port) })
}
