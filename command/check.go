package command

import (
	"errors"
	"fmt"
)

// CheckNoClients is for tests: it returns an error if the store is inconsistent, or if anything of a session is left
// though all are closed.
func (e *Env) CheckNoClients() error {
	return errors.Join(e.Store.Check(), e.Store.CheckNoClients(), e.PubSub.CheckNoClients(), e.Tracking.CheckNoClients(),
		e.monitors.checkNoClients(), e.pause.checkNoClients())
}

func (m *monitors) checkNoClients() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := m.count.Load(); n != 0 || len(m.sessions) != 0 {
		return fmt.Errorf("command: %d sessions still monitor, %d counted", len(m.sessions), n)
	}
	return nil
}

func (p *pause) checkNoClients() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.waiting); n != 0 {
		return fmt.Errorf("command: %d calls wait for the end of CLIENT PAUSE, and their sessions are closed", n)
	}
	return nil
}
