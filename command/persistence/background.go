package persistence

import (
	"time"

	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/store"
)

// Status is what INFO shows of saves in the background.
type Status struct {
	Running  bool
	Failed   bool  // the last one
	Duration int64 // of the last one, in seconds; -1 if there was none
	For      int64 // for how many seconds one has been running; -1 if none does
}

// Status returns what is at a time.
func (d *Disk) Status(now time.Time) Status {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := Status{Running: d.running, Failed: d.failed, Duration: d.duration, For: -1}
	if d.running {
		s.For = int64(now.Sub(d.startedAt) / time.Second)
	}
	return s
}

// Running reports whether the data is being saved in the background.
func (d *Disk) Running() bool { return d.Status(time.Time{}).Running }

// start saves in the background what a transaction sees, which must hold all shards and have changed nothing. It
// returns false if another save is running, or if the server closes. Once the file is written, or not, done is called.
func (d *Disk) start(tx *store.Tx, path string, done func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running || d.closed {
		return false
	}
	d.running, d.scheduled, d.startedAt = true, false, tx.Time()
	d.begun++
	number := d.begun
	snapshot, facts, changes := tx.Snapshot(), Facts(d.env, tx), tx.Dirty()
	d.env.Stats.Saves.Count.Add(1)
	d.writers.Go(func() {
		defer done()
		file := rdbfile.AppendSnapshot(nil, snapshot, d.env.Store.Thresholds(), facts)
		d.ended(d.write(path, number, file), changes)
	})
	return true
}

// ended notes that a save in the background has ended, which has saved so many changes.
func (d *Disk) ended(err error, changes int64) {
	now := d.env.Clock.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running, d.failed = false, err != nil
	d.duration = int64(now.Sub(d.startedAt) / time.Second)
	if err == nil {
		d.env.Stats.Saves.At.Store(now.Unix())
		d.env.Stats.Saves.Changes.Store(changes)
	}
	d.env.RejectUnsaved(d.failed)
	if d.scheduled && !d.closed {
		d.writers.Go(d.startScheduled)
	}
}

// pretend notes a save in the background that takes no time.
func (d *Disk) pretend() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.duration = 0
}

// schedule begins a save in the background once the transaction that calls it has ended.
func (d *Disk) schedule() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scheduled = true
	if !d.running && !d.closed {
		d.writers.Go(d.startScheduled)
	}
}

// startScheduled begins a save in a transaction of its own.
func (d *Disk) startScheduled() {
	if path, ok := d.env.Config.DataFile(); ok {
		d.env.Store.Exclusively(func(tx *store.Tx) { d.start(tx, path, func() {}) })
	}
}
