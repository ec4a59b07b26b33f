package clock

// PendingTimers is for tests: the number of timers that are set. It must be 0 once a server has closed.
func (o *Offset) PendingTimers() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending)
}
