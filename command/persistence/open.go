package persistence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/minilockd/minilockd/command/seed"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/store"
)

var errSignature = errors.New("Wrong signature trying to load DB from file")

// Open loads the file, if there is one, and begins to save by the save points. It is called once, before the first
// client.
func (d *Disk) Open() error {
	path, ok := d.env.Config.DataFile()
	if !ok {
		return nil
	}
	if err := d.load(path); err != nil {
		return fmt.Errorf("Fatal error loading the DB %s: %w", path, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.timer = d.env.Clock.AfterFunc(savePointInterval, d.checkSavePoints)
	return nil
}

// Keeps reports whether the data is kept in a file.
func (d *Disk) Keeps() bool {
	_, ok := d.env.Config.DataFile()
	return ok
}

// LoadIn replaces the data by the file's in a transaction, which must hold all shards. If keeps is set, keys that the
// file does not have stay.
func (d *Disk) LoadIn(tx *store.Tx, keeps bool) error {
	path, _ := d.env.Config.DataFile()
	data, err := read(path)
	if data == nil || err != nil {
		return err
	}
	return seed.ReplaceIn(d.env, tx, data, keeps)
}

func (d *Disk) load(path string) error {
	data, err := read(path)
	if data == nil || err != nil {
		return err
	}
	if err := seed.LoadRDB(d.env, data); err != nil {
		return err
	}
	d.ignoreChanges()
	d.env.Log.Info("DB loaded from disk", "file", path)
	return nil
}

// read returns the content of an RDB file, nil if there is none at the path.
func read(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !rdbfile.Is(data):
		return nil, errSignature
	}
	return data, nil
}
