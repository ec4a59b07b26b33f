package faults

// Saved is the rules at one moment, with what they have counted. It is immutable.
type Saved struct {
	rules  []activeRule
	lastID int64
}

// Save returns the rules of now.
func (r *Rules) Save() Saved {
	r.mu.Lock()
	defer r.mu.Unlock()
	saved := Saved{lastID: r.lastID}
	for _, a := range r.rules {
		saved.rules = append(saved.rules, *a)
	}
	return saved
}

// RestoreAll replaces all rules by saved ones, which may be those of another server; the zero Saved has none. Calls
// that a rule lets hang run now, unless it is among those that were saved.
func (r *Rules) RestoreAll(saved Saved) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := make(map[chan struct{}]bool, len(r.rules)) // a rule is the same if its channel is
	for _, a := range r.rules {
		now[a.removed] = true
	}
	r.rules, r.lastID = nil, saved.lastID
	for _, s := range saved.rules {
		if now[s.removed] {
			delete(now, s.removed)
		} else {
			s.removed = make(chan struct{})
		}
		r.rules = append(r.rules, &s)
	}
	for removed := range now {
		close(removed)
	}
	r.changedLocked()
}
