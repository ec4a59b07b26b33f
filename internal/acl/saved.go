package acl

import "maps"

// Saved is the users at one moment, by name. It is immutable: rules are replaced, never changed.
type Saved map[string]*Rules

// Save returns the users of now.
func (a *Users) Save() Saved {
	a.mu.Lock()
	defer a.mu.Unlock()
	saved := make(Saved, len(a.byName))
	for name, u := range a.byName {
		saved[name] = u.Rules()
	}
	return saved
}

// RestoreAll replaces all users by saved ones, which may be those of another server. A user that is there now keeps its
// sessions, with the rules that were saved. The sessions of one that is removed keep it.
func (a *Users) RestoreAll(saved Saved) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.byName, func(name string, _ *User) bool { return saved[name] == nil })
	for name, rules := range saved {
		u := a.byName[name]
		if u == nil {
			u = &User{Name: name}
			a.byName[name] = u
		}
		a.Restore(u, rules)
	}
}
