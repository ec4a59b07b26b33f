package cluster

import (
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// info tells the state of the cluster as the node sees it: CLUSTER INFO.
func info(c *command.Call, n *Node) resp.Value {
	v := n.view.Load()
	state := "fail"
	if n.ok(v) {
		state = "ok"
	}
	var failures string
	if c.Does(emulate.ShardsHaveIDs) {
		nodes, voting := v.failures()
		failures = fmt.Sprintf("cluster_nodes_pfail:0\r\ncluster_nodes_fail:%d\r\ncluster_voting_nodes_pfail:0\r\n"+
			"cluster_voting_nodes_fail:%d\r\n", nodes, voting)
	}
	sent, received := n.stats.sent.Load(), n.stats.received.Load()
	var text strings.Builder
	for _, field := range []struct {
		name  string
		value any
	}{
		{"cluster_state", state}, {"cluster_slots_assigned", v.assigned}, {"cluster_slots_ok", v.assigned - v.failed},
		{"cluster_slots_pfail", 0}, {"cluster_slots_fail", v.failed}, {"cluster_known_nodes", len(v.members)},
		{"cluster_size", v.masters()}, {"cluster_current_epoch", v.epoch}, {"cluster_my_epoch", v.self().epoch},
		{"cluster_stats_messages_sent", sent}, {"cluster_stats_messages_received", received},
		{"total_cluster_links_buffer_limit_exceeded", 0},
	} {
		fmt.Fprintf(&text, "%s:%v\r\n", field.name, field.value)
		if field.name == "cluster_slots_fail" {
			text.WriteString(failures)
		}
	}
	return resp.Verbatim("txt", text.String())
}

// failures counts the nodes that have failed, and those of them that are masters with slots.
func (v *view) failures() (nodes, voting int) {
	for _, m := range v.members {
		if !m.failed {
			continue
		}
		nodes++
		if m.master == "" && v.size(m) > 0 {
			voting++
		}
	}
	return nodes, voting
}
