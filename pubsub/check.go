package pubsub

import "fmt"

// CheckNoClients is for tests: it returns an error if a subscription is left though all clients are gone.
func (r *Registry) CheckNoClients() error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for k := range kinds {
		for name, subs := range r.subscribers[k] {
			return fmt.Errorf("pubsub: %d subscriptions to %q, of kind %d, are left", len(subs), name, k)
		}
	}
	if n := r.size.Load(); n != 0 {
		return fmt.Errorf("pubsub: %d topics counted, and none is left", n)
	}
	return nil
}
