package network

// Changed tells those who watch that a member follows another master now, or none.
func (n *Network) Changed() { n.change(func() {}) }

// Hold keeps changes from those who watch until done is called, once: several servers change their roles together.
func (n *Network) Hold() (done func()) {
	n.change(func() { n.held++ })
	return func() { n.change(func() { n.held-- }) }
}

// Held reports whether a Hold has not ended.
func (n *Network) Held() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.held > 0
}

// SetSilent says whether a member answers nobody, though connections to it stay.
func (n *Network) SetSilent(m *Member, on bool) { n.change(func() { m.silent.Store(on) }) }

// Hears reports whether a member reaches another one and is answered.
func (n *Network) Hears(a, b *Member) bool { return !b.silent.Load() && n.Reaches(a, b) }

// Shared returns what the members share, such as the state of sentinels. create makes it for the first caller; it must
// not use the network.
func (n *Network) Shared(create func() any) any {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.shared == nil {
		n.shared = create()
	}
	return n.shared
}
