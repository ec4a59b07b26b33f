package cluster

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// slots lists the ranges of slots, each with its master and its replicas: CLUSTER SLOTS.
func slots(_ *command.Call, n *Node) resp.Value {
	v := n.view.Load()
	type owned struct {
		slotRange
		owner *member
	}
	var all []owned
	for _, m := range v.members {
		for _, r := range v.ranges(m) {
			all = append(all, owned{r, m})
		}
	}
	slices.SortFunc(all, func(a, b owned) int { return a.first - b.first })
	replies := make([]resp.Value, len(all))
	for i, r := range all {
		entry := []resp.Value{resp.Int(int64(r.first)), resp.Int(int64(r.last)), n.slotNode(r.owner)}
		for _, replica := range v.replicasOf(r.owner) {
			if !replica.failed {
				entry = append(entry, n.slotNode(replica))
			}
		}
		replies[i] = resp.Array(entry...)
	}
	return resp.Array(replies...)
}

// slotNode is a node as CLUSTER SLOTS shows it: the endpoint that clients should use, the ID, and the other endpoints.
func (n *Node) slotNode(m *member) resp.Value {
	preferred := n.env.Config.Get("cluster-preferred-endpoint-type")
	host, port := n.endpoint(m)
	endpoint := resp.BulkString(host)
	if preferred == "unknown-endpoint" {
		endpoint = resp.Null
	}
	var other []resp.Value
	if address, _ := m.place(); preferred != "ip" {
		other = append(other, resp.BulkString("ip"), resp.BulkString(address))
	}
	if name := m.hostname(); name != "" && preferred != "hostname" {
		other = append(other, resp.BulkString("hostname"), resp.BulkString(name))
	}
	return resp.Array(endpoint, resp.Int(int64(port)), resp.BulkString(m.id), resp.Map(other...))
}

func (n *Node) hostname() string { return n.env.Config.Get("cluster-announce-hostname") }

// shards lists the shards: CLUSTER SHARDS.
func shards(c *command.Call, n *Node) resp.Value {
	v := n.view.Load()
	var replies []resp.Value
	for _, m := range v.members {
		if m.master != "" {
			continue
		}
		var ranges []resp.Value
		for _, r := range v.ranges(m) {
			ranges = append(ranges, resp.Int(int64(r.first)), resp.Int(int64(r.last)))
		}
		members := []resp.Value{n.shardNode(m)}
		for _, replica := range v.replicasOf(m) {
			members = append(members, n.shardNode(replica))
		}
		fields := []resp.Value{resp.BulkString("slots"), resp.Array(ranges...), resp.BulkString("nodes"),
			resp.Array(members...)}
		if c.Does(emulate.ShardsHaveIDs) {
			fields = append(fields, resp.BulkString("id"), resp.BulkString(m.shard))
		}
		replies = append(replies, resp.Map(fields...))
	}
	return resp.Array(replies...)
}

// shardNode is a node as CLUSTER SHARDS shows it.
func (n *Node) shardNode(m *member) resp.Value {
	address, _ := m.place()
	host, port := n.endpoint(m)
	role, health := "master", "online"
	if m.master != "" {
		role = "replica"
	}
	r := m.env.Replication.Role()
	switch {
	case m.failed:
		health = "fail"
	case r.Master != nil && r.Master.State != "connected":
		health = "loading"
	}
	fields := []resp.Value{
		resp.BulkString("id"), resp.BulkString(m.id), resp.BulkString("port"), resp.Int(int64(port)),
		resp.BulkString("ip"), resp.BulkString(address), resp.BulkString("endpoint"), resp.BulkString(host),
	}
	if name := m.hostname(); name != "" {
		fields = append(fields, resp.BulkString("hostname"), resp.BulkString(name))
	}
	return resp.Map(append(fields, resp.BulkString("role"), resp.BulkString(role),
		resp.BulkString("replication-offset"), resp.Int(r.Acked), resp.BulkString("health"), resp.BulkString(health))...)
}
