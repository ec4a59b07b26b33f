package persistence

import (
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/store"
)

const (
	savePointInterval = time.Second     // how often the save points are checked
	retryAfter        = 5 * time.Second // a save that has failed
)

// checkSavePoints saves in the background if one of the save points says so. A clock that a test advances waits for
// the file.
func (d *Disk) checkSavePoints() {
	done := clock.Hold(d.env.Clock)
	defer d.checkAgain()
	now := d.env.Clock.Now()
	points := d.duePoints(now)
	path, _ := d.env.Config.DataFile()
	if len(points) == 0 {
		done()
		return
	}
	started := false
	d.env.Store.Exclusively(func(tx *store.Tx) {
		changes := tx.Dirty() - d.env.Stats.Saves.Changes.Load()
		for _, p := range points {
			if !started && changes >= p.Changes && changes > 0 {
				started = d.start(tx, path, done)
			}
		}
	})
	if !started {
		done()
	}
}

// duePoints returns the save points whose seconds have passed.
func (d *Disk) duePoints(now time.Time) (due []config.SavePoint) {
	d.mu.Lock()
	waits := d.failed && now.Sub(d.startedAt) <= retryAfter
	d.mu.Unlock()
	if waits {
		return nil
	}
	since := now.Unix() - LastSave(d.env)
	for _, p := range d.env.Config.SavePoints() {
		if since > p.Seconds {
			due = append(due, p)
		}
	}
	return due
}

func (d *Disk) checkAgain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.timer.Reset(savePointInterval)
	}
}

// ignoreChanges makes what is in the databases count as saved.
func (d *Disk) ignoreChanges() {
	d.env.Store.Exclusively(func(tx *store.Tx) { d.env.Stats.Saves.Changes.Store(tx.Dirty()) })
}

// SavesAtEnd reports whether the data is to be saved when the server ends: always or never, or if there are save
// points.
func (d *Disk) SavesAtEnd(always, never bool) bool {
	_, ok := d.env.Config.DataFile()
	return ok && !never && (always || len(d.env.Config.SavePoints()) > 0)
}

// SaveIn saves what a transaction sees, which must hold all shards, if the data is kept in a file.
func (d *Disk) SaveIn(tx *store.Tx) error {
	path, ok := d.env.Config.DataFile()
	if !ok {
		return nil
	}
	return d.save(tx, path)
}

// Save saves the data.
func (d *Disk) Save() (err error) {
	d.env.Store.Exclusively(func(tx *store.Tx) { err = d.SaveIn(tx) })
	return err
}

// SaveAtSignal saves the data, if shutdown-on-sigterm or the save points say so, before the server ends. An error is in
// the log.
func (d *Disk) SaveAtSignal() {
	ways := strings.Fields(d.env.Config.Get("shutdown-on-sigterm"))
	if d.SavesAtEnd(slices.Contains(ways, "save"), slices.Contains(ways, "nosave")) {
		_ = d.Save()
	}
}
