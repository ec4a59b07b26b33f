package tracking

import (
	"slices"

	"github.com/minilockd/minilockd/internal/resp"
)

// State is a copy of how the client tracks now; the zero State for a nil tracker.
func (of *Tracker) State() State {
	if of == nil {
		return State{}
	}
	of.table.mu.Lock()
	defer of.table.mu.Unlock()
	return of.state
}

// Wanted reports whether what the client reads now is to be remembered.
func (of *Tracker) Wanted() bool {
	s := of.State()
	cached := s.Mode&Caching != 0
	switch {
	case !s.On, s.Mode&Broadcasting != 0,
		s.Mode&OptIn != 0 && !cached,
		s.Mode&OptOut != 0 && cached:
		return false
	}
	return true
}

// Cache sets what CLIENT CACHING says about the next command. If check returns an error, nothing changes.
func (of *Tracker) Cache(check func(*State) error) error {
	of.table.mu.Lock()
	defer of.table.mu.Unlock()
	if err := check(&of.state); err != nil {
		return err
	}
	of.state.Mode |= Caching
	return nil
}

// EndCaching ends what CLIENT CACHING has said, once the next command has run.
func (of *Tracker) EndCaching() {
	of.table.mu.Lock()
	defer of.table.mu.Unlock()
	of.state.Mode &^= Caching
}

// TurnOn makes the client track with the options of o; prefixes are added to those that it has. If check returns an
// error, nothing changes.
func (of *Tracker) TurnOn(o *State, check func(*State) error) error {
	t := of.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := check(&of.state); err != nil {
		return err
	}
	if !of.state.On {
		t.clients.Add(1)
	}
	if t.trackers == nil {
		t.trackers = make(map[*Tracker]struct{})
	}
	t.trackers[of] = struct{}{}
	of.state.turnOn(o)
	return nil
}

func (s *State) turnOn(o *State) {
	s.On, s.Mode, s.Redirect = true, o.Mode, o.Redirect
	if o.Mode&Broadcasting == 0 {
		return
	}
	added := o.Prefixes
	if added == nil {
		added = []string{""} // Redis adds it to the prefixes that there were
	}
	prefixes := append(slices.Clone(s.Prefixes), added...)
	slices.Sort(prefixes)
	s.Prefixes = slices.Compact(prefixes)
}

// TurnOff ends the client's tracking.
func (of *Tracker) TurnOff() {
	of.table.mu.Lock()
	defer of.table.mu.Unlock()
	of.offLocked()
}

// Drop ends the tracking of a client whose connection ends.
func (of *Tracker) Drop() {
	of.table.mu.Lock()
	defer of.table.mu.Unlock()
	of.offLocked()
	delete(of.table.trackers, of)
}

func (of *Tracker) offLocked() {
	if t := of.table; of.state.On && t.clients.Add(-1) == 0 {
		t.keys, t.items = nil, 0
	}
	of.state = State{}
}

// skips reports whether a change is the client's own, of which it wants no push.
func (of *Tracker) skips(by Client) bool { return of.state.Mode&NoLoop != 0 && of.client == by }

// send pushes what has become invalid: to the client itself if it speaks RESP3, or to the one of REDIRECT.
func (of *Tracker) send(keys resp.Value) {
	p := invalidates(keys)
	if of.state.Redirect == nil {
		p.RESP2 = resp.None
	}
	of.put(p)
}

// put gives a push to the client that gets them. If that of REDIRECT is gone, the client itself gets a push that says
// so.
func (of *Tracker) put(p Push) {
	to, redirect := of.client, of.state.Redirect
	switch {
	case redirect == nil:
	case redirect.Closed():
		of.state.Mode |= Broken
		p = Push{RESP3: resp.Push(resp.BulkString("tracking-redir-broken"), resp.Int(redirect.ClientID()))}
	default:
		to = redirect
	}
	to.PutPush(p)
}
