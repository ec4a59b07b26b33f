package persistence

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Disk keeps the data of a server in its RDB file. A server without one (config.DataFile) only counts its saves. It is
// safe for concurrent use.
type Disk struct {
	env     *command.Env
	writers sync.WaitGroup // the goroutines that write in the background

	mu        lockrank.Mutex[lockrank.Saving] // guards what follows
	running   bool                            // a save in the background
	scheduled bool                            // another one follows
	failed    bool                            // the last one has
	startedAt time.Time                       // of the one that runs, or of the last one
	duration  int64                           // of the last one, in seconds; -1 if there was none
	timer     clock.Timer                     // of the save points; nil without a file
	closed    bool
	begun     int64 // saves, whether they have ended or not
	written   int64 // which of them the file is of
}

// New returns the Disk of a server.
func New(env *command.Env) command.Persistence { return &Disk{env: env, duration: -1} }

// Of returns the Disk of a server, which its table has made by New.
func Of(env *command.Env) *Disk { return env.Persistence.(*Disk) }

// Close implements command.Persistence.
func (d *Disk) Close() {
	d.mu.Lock()
	d.closed = true
	if d.timer != nil {
		d.timer.Stop()
	}
	d.mu.Unlock()
	d.writers.Wait()
}

// Reject implements command.Persistence. PING fails, too: it tells whether all is well.
func (d *Disk) Reject(cmd *command.Command, flags command.Flags) error {
	cfg, isPing := d.env.Config, cmd != nil && cmd.Name == "ping"
	if !flags.Has(command.Write) && !isPing || !cfg.StopsWrites() || len(cfg.SavePoints()) == 0 {
		return nil
	}
	product := d.env.Table.Server.Title()
	return words.Errorf("MISCONF %s is configured to save RDB snapshots, but it's currently unable to persist to disk. "+
		"Commands that may modify the data set are disabled, because this instance is configured to report errors during "+
		"writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the %s logs for details about "+
		"the RDB error.", product, product)
}

// save saves what a transaction sees, which must hold all shards.
func (d *Disk) save(tx *store.Tx, path string) error {
	d.mu.Lock()
	d.begun++
	number := d.begun
	d.mu.Unlock()
	if err := d.write(path, number, rdbfile.Append(nil, tx, Facts(d.env, tx))); err != nil {
		return err
	}
	d.env.Stats.Saves.Add(tx.Time().Unix(), tx.Dirty())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = false
	d.env.RejectUnsaved(false)
	return nil
}

// temporary counts the temporary files of the process, whose servers may share a directory.
var temporary atomic.Int64

// write writes the file of a save under another name and renames it, so that the file is complete at any time. It
// logs an error.
func (d *Disk) write(path string, number int64, data []byte) error {
	name := fmt.Sprintf("temp-%d-%d.rdb", os.Getpid(), temporary.Add(1))
	temp := filepath.Join(filepath.Dir(path), name)
	err := os.WriteFile(temp, data, 0o644)
	if err == nil {
		err = d.rename(temp, path, number)
	}
	if err != nil {
		_ = os.Remove(temp)
		d.env.Log.Error("Error saving DB on disk", "file", path, "error", err)
		return err
	}
	d.env.Log.Info("DB saved on disk", "file", path)
	return nil
}

// rename makes a temporary file the RDB file, unless that is already of a later save.
func (d *Disk) rename(temp, path string, number int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if number < d.written {
		return os.Remove(temp)
	}
	d.written = number
	return os.Rename(temp, path)
}
