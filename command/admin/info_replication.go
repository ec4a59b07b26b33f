package admin

import (
	"strings"
)

// infoReplication is the section of a master without replicas. master_replid is the run ID here; in Redis it is
// another random ID.
var infoReplication = []infoField{
	constant("role", "master"),
	constant("connected_slaves", 0),
	only("valkey-8.0", constant("replicas_waiting_psync", 0)),
	{"min_slaves_good_slaves", func(r *infoReport) any {
		if r.Env().Config.LacksReplicas() {
			return 0
		}
		return nil
	}},
	constant("master_failover_state", "no-failover"),
	{"master_replid", func(r *infoReport) any { return r.Env().RunID() }},
	constant("master_replid2", strings.Repeat("0", 40)),
	constant("master_repl_offset", 0),
	constant("second_repl_offset", -1),
	constant("repl_backlog_active", 0),
	{"repl_backlog_size", func(r *infoReport) any { return r.Env().Config.Get("repl-backlog-size") }},
	constant("repl_backlog_first_byte_offset", 0),
	constant("repl_backlog_histlen", 0),
}
