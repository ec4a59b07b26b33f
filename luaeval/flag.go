package luaeval

import "sync/atomic"

// Flag is a boolean that is only ever set. It is safe for concurrent use.
type Flag struct{ set atomic.Bool }

// Set sets the flag.
func (f *Flag) Set() { f.set.Store(true) }

// IsSet reports whether it is set.
func (f *Flag) IsSet() bool { return f.set.Load() }
