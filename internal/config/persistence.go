package config

import (
	"path/filepath"
	"strings"
)

// persistenceParameters are those of the RDB file.
var persistenceParameters = []parameter{
	{name: "dbfilename", value: "dump.rdb", mutable: protected, kind: baseNameValue("dbfilename", "filename")},
	{name: "dir", mutable: protected, process: true, show: absolutePath},
	{name: "rdbchecksum", value: "yes", mutable: immutable, kind: yesNoValue},
	{name: "stop-writes-on-bgsave-error", value: "yes", kind: yesNoValue},
	{name: "save", words: true, kind: saveValue},
}

// defaultSave is save where the data is kept in a file, unless a line says otherwise.
const defaultSave = "3600 1 300 100 60 10000"

// RDBChecksum reports whether RDB files get a checksum (rdbchecksum).
func (c *Config) RDBChecksum() bool { return c.is("rdbchecksum", "yes") }

// StopsWrites reports whether writes are rejected once the data could not be saved (stop-writes-on-bgsave-error).
func (c *Config) StopsWrites() bool { return c.is("stop-writes-on-bgsave-error", "yes") }

// DataFile returns the absolute path of the RDB file (dir, dbfilename). ok is false for a server that keeps no file:
// see KeepFile.
func (c *Config) DataFile() (path string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return filepath.Join(absolutePath(c.valueByNameLocked("dir")), c.valueByNameLocked("dbfilename")), c.keepsFile
}

// KeepFile makes the server keep its data in the RDB file.
func (c *Config) KeepFile() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepsFile = true
}

// Loaded is called after the last line.
func (c *Config) Loaded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keepsFile && !c.saveLoaded {
		c.storeLocked(c.params.named("save"), defaultSave)
	}
}

// SavePoint says that the data is saved so many seconds after the last save, if there were so many changes since.
type SavePoint struct{ Seconds, Changes int64 }

// SavePoints returns the save points (save).
func (c *Config) SavePoints() (points []SavePoint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	words := strings.Fields(c.valueByNameLocked("save"))
	for i := 0; i+1 < len(words); i += 2 {
		points = append(points, SavePoint{number(words[i]), number(words[i+1])})
	}
	return points
}
