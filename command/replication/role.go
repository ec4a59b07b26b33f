package replication

import (
	"errors"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/internal/resp"
)

var (
	errMasterPort = errors.New("ERR Invalid master port")
	errInCluster  = errors.New("ERR REPLICAOF not allowed in cluster mode.")
)

// replicaOf makes the server a replica of another one, or a master again: REPLICAOF host port, REPLICAOF NO ONE.
func replicaOf(c *command.Call) resp.Value {
	if c.Env().Cluster != nil {
		return c.Fail(errInCluster)
	}
	n := NodeOf(c.Env())
	if c.Is(1, "no") && c.Is(2, "one") {
		n.Promote(c.Tx)
		return resp.OK
	}
	if c.Session.IsReplica() {
		return c.Fail(errors.New("ERR Command is not valid when client is a replica."))
	}
	port, err := c.Int(2)
	if err != nil || port < 0 || port > 65535 {
		return c.Fail(errMasterPort)
	}
	host := string(c.Arg(1))
	if l := n.current(); l != nil && l.host == host && l.port == int(port) {
		return resp.Status("OK Already connected to specified master")
	}
	n.Follow(c.Tx, host, int(port))
	return resp.OK
}

// role tells the role in replication: ROLE.
func role(c *command.Call) resp.Value {
	r := c.Env().Replication.Role()
	if m := r.Master; m != nil {
		return resp.Array(resp.BulkString("slave"), resp.BulkString(m.Host), resp.Int(int64(m.Port)),
			resp.BulkString(m.State), resp.Int(r.Acked))
	}
	replicas := make([]resp.Value, len(r.Replicas))
	for i, s := range r.Replicas {
		replicas[i] = resp.Strings([]string{s.Host, strconv.Itoa(s.Port), strconv.FormatInt(s.Offset, 10)})
	}
	return resp.Array(resp.BulkString("master"), resp.Int(r.Offset), resp.Array(replicas...))
}

// Role implements command.Replication.
func (n *Node) Role() command.Role {
	r := n.history.role()
	r.Failover = n.failover.String()
	l := n.current()
	if l == nil {
		r.Acked = r.Offset
		return r
	}
	now := n.env.Clock.Now()
	state := l.state.Load()
	r.Acked = l.applied.Load()
	if r.Acked == 0 && state != online {
		r.Acked = -1
	}
	r.Master = &command.Master{Host: l.host, Port: l.port, State: stateNames[state], Syncing: state == receiving,
		IdleFor: -1, DownFor: since(l.lost.Load(), now), Offset: l.inbox.received()}
	if state == online {
		r.Master.IdleFor = since(l.heard.Load(), now)
	}
	return r
}

// since returns the seconds since a time in ms since the epoch, -1 if that is 0.
func since(ms int64, now time.Time) int64 {
	if ms == 0 {
		return -1
	}
	return (now.UnixMilli() - ms) / 1000
}

func (h *history) role() command.Role {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := command.Role{ID: h.id, Offset: h.offset, ID2: h.id2, Offset2: h.offset2, Syncs: h.syncs}
	r.Backlog = command.Backlog{Active: h.started, Size: int64(h.size())}
	if h.started {
		r.Backlog.Received = int64(len(h.backlogLocked()))
		r.Backlog.First = h.offset - r.Backlog.Received + 1
	}
	for _, s := range h.replicas {
		r.Replicas = append(r.Replicas, command.Replica{Host: s.host, Port: s.port, State: "online", Offset: s.acked,
			Lag: s.lagLocked(h)})
	}
	return r
}

// MasterAddr returns the address of the master, "" if the server is one.
func (n *Node) MasterAddr() string {
	if l := n.current(); l != nil {
		return network.Addr(l.host, l.port)
	}
	return ""
}
