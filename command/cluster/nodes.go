package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// myID tells the ID of the node: CLUSTER MYID.
func myID(_ *command.Call, n *Node) resp.Value { return resp.BulkString(n.ID()) }

// myShardID tells the ID of the node's shard: CLUSTER MYSHARDID.
func myShardID(_ *command.Call, n *Node) resp.Value {
	v := n.view.Load()
	if master := v.masterOf(v.self()); master != nil {
		return resp.BulkString(master.shard)
	}
	return resp.BulkString(n.shard)
}

// nodes lists the nodes, one in each line: CLUSTER NODES.
func nodes(_ *command.Call, n *Node) resp.Value {
	v := n.view.Load()
	var text strings.Builder
	for _, m := range v.members {
		text.WriteString(n.describe(v, m))
		text.WriteByte('\n')
	}
	return resp.Verbatim("txt", text.String())
}

// describe returns the line of CLUSTER NODES for a node.
func (n *Node) describe(v *view, m *member) string {
	host, port := m.place()
	address := fmt.Sprintf("%s:%d@%d", host, port, m.busPort())
	if name := m.hostname(); name != "" {
		address += "," + name
	}
	master, link := "-", "connected"
	if m.master != "" {
		master = m.master
	}
	if m != v.self() && !n.bus.reach(n, m.Node) {
		link = "disconnected"
	}
	line := fmt.Sprintf("%s %s %s %s 0 %d %d %s", m.id, address, v.flags(m), master, n.now(), m.epoch, link)
	for _, r := range v.ranges(m) {
		line += " " + r.String()
	}
	if m == v.self() {
		line += v.movesText()
	}
	return line
}

// String is the notation of CLUSTER NODES.
func (r slotRange) String() string {
	if r.first == r.last {
		return fmt.Sprint(r.first)
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

// flags are the flags of CLUSTER NODES.
func (v *view) flags(m *member) string {
	var flags []string
	if m == v.self() {
		flags = append(flags, "myself")
	}
	if m.master != "" {
		flags = append(flags, "slave")
	} else {
		flags = append(flags, "master")
	}
	if m.failed {
		flags = append(flags, "fail")
	}
	return strings.Join(flags, ",")
}

// movesText is how CLUSTER NODES shows the slots that move.
func (v *view) movesText() (text string) {
	var moving []int
	for slot := range v.moving {
		moving = append(moving, slot)
	}
	slices.Sort(moving)
	for _, slot := range moving {
		if m := v.moving[slot]; m.to != "" {
			text += fmt.Sprintf(" [%d->-%s]", slot, m.to)
		} else {
			text += fmt.Sprintf(" [%d-<-%s]", slot, m.from)
		}
	}
	return text
}

// memberOf returns the node that argument 2 names.
func memberOf(c *command.Call, v *view) (*member, error) {
	if m := v.byID(string(c.Arg(2))); m != nil {
		return m, nil
	}
	return nil, words.Errorf("ERR Unknown node %s", string(c.Arg(2)))
}

// replicas lists the replicas of a node as CLUSTER NODES does: CLUSTER REPLICAS node-id.
func replicas(c *command.Call, n *Node) resp.Value {
	v := n.view.Load()
	m, err := memberOf(c, v)
	switch {
	case err != nil:
		return c.Fail(err)
	case m.master != "":
		return resp.Error("ERR The specified node is not a master")
	}
	lines := []string{}
	for _, r := range v.replicasOf(m) {
		lines = append(lines, n.describe(v, r))
	}
	return resp.Strings(lines)
}

// countFailureReports counts the reports of other nodes that a node has failed, of which none are kept: CLUSTER
// COUNT-FAILURE-REPORTS node-id.
func countFailureReports(c *command.Call, n *Node) resp.Value {
	if _, err := memberOf(c, n.view.Load()); err != nil {
		return c.Fail(err)
	}
	return resp.Zero
}

// links lists the connections to other nodes, one in each direction: CLUSTER LINKS.
func links(_ *command.Call, n *Node) resp.Value {
	var replies []resp.Value
	for _, m := range n.view.Load().members[1:] {
		if !n.bus.reach(n, m.Node) {
			continue
		}
		for _, direction := range []string{"to", "from"} {
			replies = append(replies, resp.Map(
				resp.BulkString("direction"), resp.BulkString(direction), resp.BulkString("node"), resp.BulkString(m.id),
				resp.BulkString("create-time"), resp.Int(n.env.Started().UnixMilli()),
				resp.BulkString("events"), resp.BulkString("r"),
				resp.BulkString("send-buffer-allocated"), resp.Zero, resp.BulkString("send-buffer-used"), resp.Zero))
		}
	}
	return resp.Array(replies...)
}

// saveConfig does nothing, since there is no file of nodes: CLUSTER SAVECONFIG.
func saveConfig(*command.Call, *Node) resp.Value { return resp.OK }
