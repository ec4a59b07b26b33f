package control

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/replication"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Snapshot is the state of a server at one moment: its keys, its clock, and what each of the state parts has saved. It
// is immutable, and may be restored any number of times, also on other servers of the process.
type Snapshot struct {
	data  *store.Snapshot
	clock clock.State
	parts []any // by the index of Hooks.state
}

// snapshots are those of TEST.SNAPSHOT. They are no part of the state: reset keeps them.
type snapshots struct {
	mu     lockrank.Mutex[lockrank.Snapshots] // guards byName
	byName map[string]*Snapshot
}

// keep saves a snapshot under a name.
func (h *Hooks) keep(name string, s *Snapshot) {
	h.snapshots.mu.Lock()
	defer h.snapshots.mu.Unlock()
	if h.snapshots.byName == nil {
		h.snapshots.byName = make(map[string]*Snapshot)
	}
	h.snapshots.byName[name] = s
}

// kept returns the snapshot with a name. It returns an error if no snapshot has it, or if Fits does.
func (h *Hooks) kept(name string) (*Snapshot, error) {
	h.snapshots.mu.Lock()
	defer h.snapshots.mu.Unlock()
	s := h.snapshots.byName[name]
	if s == nil {
		return nil, words.Errorf("ERR no snapshot '%s'", name)
	}
	return s, h.Fits(s)
}

// Fits returns an error if a snapshot has keys in databases that the server does not have.
func (h *Hooks) Fits(s *Snapshot) error {
	if needs, has := s.data.Databases(), h.env.Store.Databases(); needs > has {
		return words.Errorf("ERR the snapshot needs %d databases, and the server has %d", needs, has)
	}
	return nil
}

// exclusively calls f while nothing changes the clock and all shards are locked, so that other clients see all or
// nothing of what f does. The clock comes first: an Advance waits for work that may need a shard. The caller must hold
// no shard.
func (h *Hooks) exclusively(f func(tx *store.Tx, clk clock.Changing)) {
	h.env.Clock.Exclusive(func(clk clock.Changing) {
		h.env.Store.Exclusively(func(tx *store.Tx) { f(tx, clk) })
	})
}

// Snapshot copies the state. It waits for scripts that run, and for an Advance of the clock to end.
func (h *Hooks) Snapshot() (s *Snapshot) {
	h.exclusively(func(tx *store.Tx, clk clock.Changing) {
		s = &Snapshot{data: tx.Snapshot(), clock: clk.State(), parts: make([]any, len(h.state))}
		for i, p := range h.state {
			s.parts[i] = p.save()
		}
	})
	return s
}

// Restore puts the server into the state of a snapshot: the clock shows the time of the snapshot again, and each key
// has as much left of its TTL as then. Clients stay connected, and what they wait for goes on. It fails if the
// snapshot has keys in databases that the server does not have; then nothing happens.
func (h *Hooks) Restore(s *Snapshot) error {
	if err := h.Fits(s); err != nil {
		return err
	}
	h.exclusively(func(tx *store.Tx, clk clock.Changing) {
		clk.Restore(s.clock)
		h.replace(tx, s.data, func(i int) any { return s.parts[i] })
	})
	return nil
}

// Reset puts the server into the state of its start, and ends CLIENT PAUSE, partitions and the lag of a replica.
// Clients stay connected, and a replica follows its master.
func (h *Hooks) Reset() {
	h.exclusively(func(tx *store.Tx, clk clock.Changing) {
		clk.Reset()
		h.replace(tx, new(store.Snapshot), func(int) any { return nil })
	})
	h.Faults.dropDelayed()
	h.env.Unpause()
	h.Partition.End()
	replication.NodeOf(h.env).SetLag(replication.Lag{})
	if group := h.env.Network; group != nil {
		group.Heal()
	}
}

// replace replaces all keys and parts of the state, once the clock is set.
func (h *Hooks) replace(tx *store.Tx, data *store.Snapshot, saved func(part int) any) {
	tx.Restore(data)
	for i, p := range h.state {
		p.restore(tx, saved(i))
	}
	if table := &h.env.Tracking; table.Active() {
		tx.Defer(store.EffectFunc(table.Flushed))
	}
	h.env.Replication.DataReplaced()
}

// CloseClients closes all connections but that of one session, which may be nil. It does not wait until they are
// closed.
func (h *Hooks) CloseClients(but *command.Session) {
	h.env.Clients.Each(func(s *command.Session) {
		if s != but {
			s.Kill()
		}
	})
}
