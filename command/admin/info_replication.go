package admin

import (
	"fmt"

	"github.com/minilockd/minilockd/command"
)

// infoReplication is what INFO says of the replicas, or of the master.
var infoReplication = []infoField{
	ofRole("role", func(r command.Role) any {
		if r.Master != nil {
			return "slave"
		}
		return "master"
	}),
	ofMaster("master_host", func(_ command.Role, m *command.Master) any { return m.Host }),
	ofMaster("master_port", func(_ command.Role, m *command.Master) any { return m.Port }),
	ofMaster("master_link_status", func(_ command.Role, m *command.Master) any {
		if m.State == "connected" {
			return "up"
		}
		return "down"
	}),
	ofMaster("master_last_io_seconds_ago", func(_ command.Role, m *command.Master) any { return m.IdleFor }),
	ofMaster("master_sync_in_progress", func(_ command.Role, m *command.Master) any { return zeroOne(m.Syncing) }),
	ofMaster("slave_read_repl_offset", func(_ command.Role, m *command.Master) any { return m.Offset }),
	ofMaster("slave_repl_offset", func(r command.Role, _ *command.Master) any { return r.Acked }),
	ofMaster("master_link_down_since_seconds", func(_ command.Role, m *command.Master) any {
		if m.State == "connected" {
			return nil
		}
		return m.DownFor
	}),
	{"slave_priority", func(r *infoReport) any { return r.ifReplica("replica-priority") }},
	{"slave_read_only", func(r *infoReport) any {
		return r.ifReplicaFlag("replica-read-only")
	}},
	{"replica_announced", func(r *infoReport) any { return r.ifReplicaFlag("replica-announced") }},
	ofRole("connected_slaves", func(r command.Role) any { return len(r.Replicas) }),
	{"min_slaves_good_slaves", func(r *infoReport) any { return r.goodReplicas() }},
	only("valkey-8.0", constant("replicas_waiting_psync", 0)),
	{"", writeReplicas},
	ofRole("master_failover_state", func(r command.Role) any { return r.Failover }),
	ofRole("master_replid", func(r command.Role) any { return r.ID }),
	ofRole("master_replid2", func(r command.Role) any { return r.ID2 }),
	ofRole("master_repl_offset", func(r command.Role) any { return r.Offset }),
	ofRole("second_repl_offset", func(r command.Role) any { return r.Offset2 }),
	ofRole("repl_backlog_active", func(r command.Role) any { return zeroOne(r.Backlog.Active) }),
	{"repl_backlog_size", func(r *infoReport) any { return r.Env().Config.Get("repl-backlog-size") }},
	ofRole("repl_backlog_first_byte_offset", func(r command.Role) any { return r.Backlog.First }),
	ofRole("repl_backlog_histlen", func(r command.Role) any { return r.Backlog.Received }),
}

func zeroOne(on bool) int {
	if on {
		return 1
	}
	return 0
}

func ofRole(name string, value func(r command.Role) any) infoField {
	return infoField{name, func(r *infoReport) any { return value(r.Env().Replication.Role()) }}
}

// ofMaster is a line of a replica about its master.
func ofMaster(name string, value func(r command.Role, m *command.Master) any) infoField {
	return ofRole(name, func(r command.Role) any {
		if r.Master == nil {
			return nil
		}
		return value(r, r.Master)
	})
}

// ifReplica is a parameter, for a replica only.
func (r *infoReport) ifReplica(parameter string) any {
	if !r.Env().IsReplica() {
		return nil
	}
	return r.Env().Config.Get(parameter)
}

// ifReplicaFlag is ifReplica for yes and no.
func (r *infoReport) ifReplicaFlag(parameter string) any {
	if value := r.ifReplica(parameter); value != nil {
		return zeroOne(value == "yes")
	}
	return nil
}

// goodReplicas is how many replicas min-replicas-to-write counts, if it is set.
func (r *infoReport) goodReplicas() any {
	if !r.Env().Config.NeedsReplicas() {
		return nil
	}
	return r.Env().Replication.Good()
}

// writeReplicas writes a line for each replica.
func writeReplicas(r *infoReport) any {
	for i, s := range r.Env().Replication.Role().Replicas {
		r.line(fmt.Sprintf("slave%d", i), fmt.Sprintf("ip=%s,port=%d,state=%s,offset=%d,lag=%d", s.Host, s.Port, s.State,
			s.Offset, s.Lag))
	}
	return nil
}
