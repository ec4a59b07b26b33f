package clock

// Armed is for tests: how many timers are armed. None may be once a server has closed.
func (o *Offset) Armed() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending)
}
