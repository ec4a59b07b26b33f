package luaeval

// Recent is a cache of the scripts that one client has used last, which needs no lock. The zero value is ready; it is
// not safe for concurrent use.
type Recent struct {
	generation uint64 // of the engine, when they were cached
	scripts    [4]*Script
	next       int // to be replaced
}

// GetRecent is Get for a client that has used few scripts. A digest in upper case is found by Get only. Once a script
// was deleted, all entries are dropped.
func (e *Engine) GetRecent(r *Recent, sha []byte) *Script {
	if generation := e.generation.Load(); r.generation != generation {
		*r = Recent{generation: generation}
	}
	for _, s := range r.scripts {
		if s != nil && s.SHA == string(sha) {
			return s
		}
	}
	s := e.Get(sha)
	if s != nil {
		r.scripts[r.next] = s
		r.next = (r.next + 1) % len(r.scripts)
	}
	return s
}
