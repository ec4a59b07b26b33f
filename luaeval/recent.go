package luaeval

// Recent is the scripts that one client has used last, so that it finds them again without the lock that all clients
// share. The zero value is ready; it is not safe for concurrent use.
type Recent struct {
	era     uint64 // of the engine, when they were found
	scripts [4]*Script
	next    int // to be replaced
}

// GetRecent is Get for a client that has used few scripts.
func (e *Engine) GetRecent(r *Recent, sha []byte) *Script {
	if era := e.era.Load(); r.era != era {
		*r = Recent{era: era}
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
