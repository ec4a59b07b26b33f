package server

import "github.com/minilockd/minilockd/command/control"

// Kept is what a restarted server has of its keys and functions: one of the functions below returns it.
type Kept struct {
	form     string // that of FAULT.RESTART
	data     control.AfterRestart
	snapshot *Snapshot // whose data it is, or nil
}

// KeepData keeps all keys and functions, as a Redis that has saved them before it ends.
func KeepData() Kept { return Kept{form: "KEEP", data: control.KeepData} }

// LoseData loses all keys and functions, as a Redis without persistence.
func LoseData() Kept { return Kept{form: "LOSE", data: control.LoseData} }

// DataOf restores the keys and functions of a snapshot, as a Redis that has last saved them then and lost what came
// after. The clock goes on, so what is left of TTLs has become shorter. [Server.Restart] panics if the snapshot has
// keys in a database that the server does not have.
func DataOf(s *Snapshot) Kept { return Kept{"SNAPSHOT", control.DataOf(s.state), s} }

// Restart does to clients and data what a restart of the server's process does, while the server stays at its address.
// All connections are closed, with their blocked calls, subscriptions, transactions and watched keys. Running scripts
// end. Scripts, counters, the slow log and CLIENT PAUSE are gone, INFO shows a new run_id and uptime. The server's
// clock, the rules of Faults, a partition and the configuration stay, also what CONFIG SET and ACL SETUSER have
// changed. FAULT.RESTART does the same over a connection.
//
// Restart returns when all of it is done; connections that are made meanwhile wait for that. It is safe for concurrent
// use.
func (s *Server) Restart(kept Kept) {
	if kept.snapshot != nil {
		if err := s.control().Fits(kept.snapshot.state); err != nil {
			panic("server: " + err.Error())
		}
	}
	s.control().Restart(nil, kept.form, kept.data)
}

// Partition cuts the server off from its clients, as a network that loses all packets: it takes nothing more from
// them, apart from one call that has not run yet, and sends them nothing, also not to new connections, until Heal. No
// connection is closed. The commands CLOCK.… and FAULT.… still work. FAULT.PARTITION does the same over a connection.
// It is safe for concurrent use.
func (s *Server) Partition() { s.control().Partition.Begin() }

// Heal ends Partition: the server serves what its clients have sent meanwhile, and sends what waits for them. It is
// safe for concurrent use.
func (s *Server) Heal() { s.control().Partition.End() }

// control returns what the commands for tests work on.
func (s *Server) control() *control.Hooks { return s.env.Hooks.(*control.Hooks) }
