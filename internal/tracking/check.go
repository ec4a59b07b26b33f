package tracking

import "fmt"

// CheckNoClients is for tests: it returns an error if a tracker, or what one has read, is left though all clients are
// closed.
func (t *Table) CheckNoClients() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.clients.Load(); n != 0 || len(t.trackers) != 0 {
		return fmt.Errorf("tracking: %d clients still track, and %d trackers are left", n, len(t.trackers))
	}
	if len(t.keys) != 0 || t.items != 0 {
		return fmt.Errorf("tracking: %d keys are remembered, %d counted, and nobody tracks", len(t.keys), t.items)
	}
	return nil
}
