package tracking

import (
	"slices"

	"github.com/minilockd/minilockd/internal/resp"
)

// State is a copy of how the client tracks now; the zero State for a nil tracker.
func (t *Tracker) State() State {
	if t == nil {
		return State{}
	}
	t.table.mu.Lock()
	defer t.table.mu.Unlock()
	return t.state
}

// Wanted reports whether the table is to remember what the client reads now. In BCAST mode nothing is remembered; with
// OPTIN only after CLIENT CACHING YES, with OPTOUT not after CLIENT CACHING NO.
func (t *Tracker) Wanted() bool {
	s := t.State()
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
func (t *Tracker) Cache(check func(*State) error) error {
	t.table.mu.Lock()
	defer t.table.mu.Unlock()
	if err := check(&t.state); err != nil {
		return err
	}
	t.state.Mode |= Caching
	return nil
}

// EndCaching ends what CLIENT CACHING has said, once the next command has run.
func (t *Tracker) EndCaching() {
	t.table.mu.Lock()
	defer t.table.mu.Unlock()
	t.state.Mode &^= Caching
}

// TurnOn makes the client track with the options of o; prefixes are added to those that it has. If check returns an
// error, nothing changes.
func (t *Tracker) TurnOn(o *State, check func(*State) error) error {
	table := t.table
	table.mu.Lock()
	defer table.mu.Unlock()
	if err := check(&t.state); err != nil {
		return err
	}
	if !t.state.On {
		table.clients.Add(1)
	}
	if table.trackers == nil {
		table.trackers = make(map[*Tracker]struct{})
	}
	table.trackers[t] = struct{}{}
	t.state.turnOn(o)
	return nil
}

// turnOn takes over the options of CLIENT TRACKING ON. Mode and redirection are replaced. In BCAST mode prefixes are
// added to those that there are; without the option PREFIX the empty one is, which every key has.
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
func (t *Tracker) TurnOff() {
	t.table.mu.Lock()
	defer t.table.mu.Unlock()
	t.offLocked()
}

// Drop ends the tracking of a client whose connection ends. A tracker that was only turned off stays in the table,
// since the client may turn it on again.
func (t *Tracker) Drop() {
	t.table.mu.Lock()
	defer t.table.mu.Unlock()
	t.offLocked()
	delete(t.table.trackers, t)
}

// offLocked ends the tracking. Keys that the client has read stay in the table until they change, and are then not
// pushed; when no client tracks any more, all are removed.
func (t *Tracker) offLocked() {
	if table := t.table; t.state.On && table.clients.Add(-1) == 0 {
		table.keys, table.items = nil, 0
	}
	t.state = State{}
}

// skips reports whether a change is the client's own, about which it gets no push with NOLOOP.
func (t *Tracker) skips(by Client) bool { return t.state.Mode&NoLoop != 0 && t.client == by }

// send pushes what has become invalid: to the client itself if it uses RESP3, or to the one of REDIRECT. The caller
// holds the mutex of the table.
func (t *Tracker) send(keys resp.Value) {
	p := invalidates(keys)
	if t.state.Redirect == nil {
		p.RESP2 = resp.None
	}
	t.put(p)
}

// put gives a push to the client that gets them. If that of REDIRECT is gone, the client itself gets a push that says
// so.
func (t *Tracker) put(p Push) {
	to, redirect := t.client, t.state.Redirect
	switch {
	case redirect == nil:
	case redirect.Closed():
		t.state.Mode |= Broken
		p = Push{RESP3: resp.Push(resp.BulkString("tracking-redir-broken"), resp.Int(redirect.ClientID()))}
	default:
		to = redirect
	}
	to.PutPush(p)
}
