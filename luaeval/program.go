package luaeval

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
)

// Program is what EVAL, EVALSHA and FCALL run (Engine.Run): a Script or a Function.
type Program interface {
	// ID returns the SHA1 of a script, or the name of a function.
	ID() string
	// Flags returns the flags that the program declares.
	Flags() Flags
	// NeedsAllShards reports whether the program must start with all shards locked.
	NeedsAllShards() bool
	// SetNeedsAllShards makes all later runs start with all shards locked. The caller sets it when a run was restarted,
	// because it used a key that it did not declare, or changed a value too large to keep a copy of for the undo.
	SetNeedsAllShards()

	run(e *Engine, keys, args [][]byte, c Caller) resp.Value
}

// ID implements Program.
func (s *Script) ID() string { return s.SHA }

// ID implements Program.
func (fn *Function) ID() string { return fn.Name }

// settings is what a Script and a Function have in common. It is safe for concurrent use: flags never changes.
type settings struct {
	flags          Flags
	needsAllShards atomic.Bool // only ever set
}

// Flags implements Program.
func (s *settings) Flags() Flags { return s.flags }

// NeedsAllShards implements Program.
func (s *settings) NeedsAllShards() bool { return s.needsAllShards.Load() }

// SetNeedsAllShards implements Program.
func (s *settings) SetNeedsAllShards() { s.needsAllShards.Store(true) }
