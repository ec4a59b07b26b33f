package admin

import (
	"strings"
)

// infoReplication is that of a master nobody replicates.
var infoReplication = []infoField{
	idle("role", "master"),
	idle("connected_slaves", 0),
	{"min_slaves_good_slaves", func(r *infoReport) any {
		if r.Env().Config.LacksReplicas() {
			return 0
		}
		return nil
	}},
	idle("master_failover_state", "no-failover"),
	{"master_replid", func(r *infoReport) any { return r.Env().RunID }},
	idle("master_replid2", strings.Repeat("0", 40)),
	idle("master_repl_offset", 0),
	idle("second_repl_offset", -1),
	idle("repl_backlog_active", 0),
	{"repl_backlog_size", func(r *infoReport) any { return r.Env().Config.Get("repl-backlog-size") }},
	idle("repl_backlog_first_byte_offset", 0),
	idle("repl_backlog_histlen", 0),
}
