package clock

// PendingTimers is for tests: the number of timers that are set, without those of Lent. It must be 0 once a server has
// closed.
func (o *Offset) PendingTimers() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.pending {
		if !t.lent {
			n++
		}
	}
	return n
}
