package command

// The place of a server among others: a master that sends what changes to replicas, a replica, or a node of a cluster.
// What that means is up to package command/replication and command/cluster; the core asks them only while the server is
// one of these.

import (
	"net"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/store"
)

// Replication is the part of a server that sends what changes to its replicas, or follows a master. All methods are
// safe for concurrent use.
type Replication interface {
	// Propagate adds a unit to what the replicas get. It runs when the transaction that has made the changes commits,
	// under the locks of its shards, so it must not wait. It is called while Env.FeedReplicas is on.
	Propagate(w *Writes)
	// Removal returns the command by which a replica removes what the store has removed by itself.
	Removal(r store.Removal) [][]byte
	// AppendSelect appends the command that selects a database.
	AppendSelect(dst []byte, db int) []byte
	// DataReplaced is called within a transaction that changes data otherwise than by commands, such as a restore. It
	// makes the replicas get all of it.
	DataReplaced()
	// Reject returns the error for a call by a client of a replica, or of a master that has too few replicas; nil if it
	// may run. flags are those of the command, and of what it runs.
	Reject(s *Session, flags Flags) error
	// Good returns how many replicas min-replicas-to-write counts.
	Good() int64
	// Role returns what INFO, HELLO and ROLE say.
	Role() Role
	// Drop is called when the connection of a session that is a replica has ended.
	Drop(s *Session)
	// Close ends the connection to the master. It waits until nothing is applied any more.
	Close()
}

// Cluster is the part of a server that knows which node of a cluster has which slot. All methods are safe for
// concurrent use.
type Cluster interface {
	// Redirect returns the error for a call whose keys are on another node, or on several; nil if it may run here. It
	// runs before any key is locked, so RedirectHeld asks again.
	Redirect(s *Session, cmd *Command, args [][]byte) error
	// RedirectHeld is Redirect within the transaction of the call, where no slot leaves the node any more.
	RedirectHeld(c *Call) error
	// RedirectScript is RedirectHeld for a command that the script of outer calls.
	RedirectScript(outer, inner *Call) error
	// RedirectBlocked is called when a session has been blocked by a call for keys: the slot may have left meanwhile.
	RedirectBlocked(s *Session)
	// Publish sends a message to the clients of other nodes.
	Publish(m Message)
	// Close leaves the cluster.
	Close()
}

// RedirectError is an error of Cluster.Redirect: EXEC replies it as it is.
type RedirectError string

// Error implements error.
func (e RedirectError) Error() string { return string(e) }

// Sentinel is the part of a server that watches masters, and has no data of its own. All methods are safe for
// concurrent use.
type Sentinel interface {
	// Info returns the lines of INFO about it.
	Info() string
	// Close ends what it does by itself.
	Close()
}

// Role is what a server is to others, as INFO replication and ROLE show it.
type Role struct {
	Master   *Master // nil if the server is a master
	Replicas []Replica
	ID       string // of the history of changes (master_replid)
	Offset   int64  // bytes of the history
	ID2      string // of the history before a failover, up to Offset2
	Offset2  int64  // -1 if there is none
	Backlog  Backlog
	Syncs    Syncs
	Failover string // the state of FAILOVER
	Acked    int64  // for a replica: what it has applied; for a master Offset
}

// Master is the master of a replica.
type Master struct {
	Host    string
	Port    int
	State   string // as in ROLE: connect, connecting, sync, connected
	Syncing bool   // a full copy is being received
	IdleFor int64  // seconds since something was received; -1 while there is no connection
	DownFor int64  // seconds since the connection was lost; -1 if there never was one
	Offset  int64  // read, whether applied yet or not
}

// Replica is a replica of a master.
type Replica struct {
	Host   string
	Port   int
	State  string // as in INFO: wait_bgsave, send_bulk, online
	Offset int64  // that it has confirmed
	Lag    int64  // seconds since it has confirmed something
}

// Syncs counts how replicas have begun to follow.
type Syncs struct {
	Full    int64 // by a full copy
	Partial int64 // by what they lacked
	Refused int64 // by a full copy though they asked for what they lacked
}

// Backlog is the latest part of the history, from which a replica that was away can go on.
type Backlog struct {
	Active                bool
	Size, First, Received int64 // bytes
}

// roleSwitch says what the core must ask about. The zero value is nothing; it is safe for concurrent use.
type roleSwitch struct{ set atomic.Uint32 }

const (
	feedsReplicas uint32 = 1 << iota // Replication.Propagate
	isReplica                        // Replication.Reject
	saveFailed                       // Persistence.Reject
)

func (r *roleSwitch) on(bit uint32) bool { return r.set.Load()&bit != 0 }

func (r *roleSwitch) turn(bit uint32, on bool) {
	if on {
		r.set.Or(bit)
		return
	}
	r.set.And(^bit)
}

// FeedReplicas turns Replication.Propagate on or off. A transaction that holds all shards calls it, so that what
// commits later is propagated.
func (e *Env) FeedReplicas(on bool) { e.roles.turn(feedsReplicas, on) }

// FeedsReplicas reports whether FeedReplicas is on.
func (e *Env) FeedsReplicas() bool { return e.roles.on(feedsReplicas) }

// IsReplica reports whether the server is a replica.
func (e *Env) IsReplica() bool { return e.roles.on(isReplica) }

// Dial connects to another server: in memory if it belongs to the Network, else by TCP.
func (e *Env) Dial(host, port string) (net.Conn, error) {
	if e.Network == nil {
		return network.DialTCP(host, port)
	}
	return e.Network.Dial(e.Member, host, port)
}
