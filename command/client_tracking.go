package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// trackingCommands are subcommands of CLIENT.
var trackingCommands = []Command{
	{Name: "caching", Usage: "<YES | NO>", Arity: 3, Flags: connecting, Since: "6.0.0",
		Summary: "Says whether the keys of the next command are tracked.", Run: clientCaching},
	{Name: "getredir", Arity: 2, Flags: connecting, Since: "6.0.0",
		Summary: "Tells which client gets the connection's tracking messages; -1 for none.", Run: clientGetRedir},
	{Name: "tracking", Usage: "<ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN] [OPTOUT] [NOLOOP]",
		Arity: -3, Flags: connecting, Since: "6.0.0",
		Summary: "Turns messages about changed keys on and off, for a client that caches them.", Run: clientTracking},
	{Name: "trackinginfo", Arity: 2, Flags: connecting, Since: "6.2.0",
		Summary: "Tells how the connection tracks keys.", Run: clientTrackingInfo},
}

var (
	errTwoRedirects  = errors.New("ERR A client can only redirect to a single other client")
	errNoRedirect    = errors.New("ERR The client ID you want redirect to does not exist")
	errPrefixNoBcast = errors.New("ERR PREFIX option requires BCAST mode to be enabled")
	errSwitchBcast   = errors.New("ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a different mode.")
	errOptBcast      = errors.New("ERR OPTIN and OPTOUT are not compatible with BCAST")
	errOptBoth       = errors.New("ERR You can't specify both OPTIN mode and OPTOUT mode")
	errSwitchOpt     = errors.New("ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a different mode.")
	errNoCaching     = errors.New("ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled")
	errCachingYes    = errors.New("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.")
	errCachingNo     = errors.New("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.")
)

// trackOptions is the words of CLIENT TRACKING.
type trackOptions struct {
	mode     trackMode
	redirect *Session
	prefixes []string
}

var trackWords = map[string]trackMode{"bcast": trackBroadcast, "optin": trackOptIn, "optout": trackOptOut, "noloop": trackNoLoop}

func (c *Call) trackOptions() (o trackOptions, err error) {
	for i := 3; i < c.Len(); i++ {
		mode, more := trackWords[strings.ToLower(string(c.Arg(i)))], i+1 < c.Len()
		switch {
		case mode != 0:
			o.mode |= mode
		case c.Is(i, "redirect") && more:
			i++
			err = o.setRedirect(c, i)
		case c.Is(i, "prefix") && more:
			i++
			o.prefixes = append(o.prefixes, string(c.Arg(i)))
		default:
			err = errSyntax
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func (o *trackOptions) setRedirect(c *Call, i int) error {
	if o.redirect != nil {
		return errTwoRedirects
	}
	id, err := c.Int(i)
	if err != nil {
		return err
	}
	c.Env().Clients.Each(func(s *Session) {
		if s.ID == id {
			o.redirect = s
		}
	})
	if o.redirect == nil {
		return errNoRedirect
	}
	return nil
}

// check reports what keeps a tracker from taking the options, in Redis' order.
func (o *trackOptions) check(t *tracker) error {
	const opts = trackOptIn | trackOptOut
	switch {
	case o.mode&trackBroadcast == 0 && o.prefixes != nil:
		return errPrefixNoBcast
	case t.on && (o.mode^t.mode)&trackBroadcast != 0:
		return errSwitchBcast
	case o.mode&trackBroadcast != 0 && o.mode&opts != 0:
		return errOptBcast
	case o.mode&opts == opts:
		return errOptBoth
	case o.mode&trackOptIn != 0 && t.mode&trackOptOut != 0, o.mode&trackOptOut != 0 && t.mode&trackOptIn != 0:
		return errSwitchOpt
	case o.mode&trackBroadcast != 0:
		return o.checkPrefixes(t)
	}
	return nil
}

// checkPrefixes reports prefixes of which one begins with another: their keys would be told twice.
func (o *trackOptions) checkPrefixes(t *tracker) error {
	for i, prefix := range o.prefixes {
		for _, old := range t.prefixes {
			if overlap(prefix, old) {
				return words.Errorf("ERR Prefix '%s' overlaps with an existing prefix '%s'. Prefixes for a single client must not overlap.", prefix, old)
			}
		}
		for _, other := range o.prefixes[i+1:] {
			if overlap(prefix, other) {
				return words.Errorf("ERR Prefix '%s' overlaps with another provided prefix '%s'. Prefixes for a single client must not overlap.", prefix, other)
			}
		}
	}
	return nil
}

func overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

func clientTracking(c *Call) resp.Value {
	options, err := c.trackOptions()
	if err == nil && !c.Is(2, "on") && !c.Is(2, "off") {
		err = errSyntax
	}
	if err == nil {
		err = c.Env().tracking.set(c.Session, c.Is(2, "on"), &options)
	}
	if err != nil {
		return c.Fail(err)
	}
	return resp.OK
}

// set turns tracking on or off for a session.
func (t *tracking) set(s *Session, on bool, o *trackOptions) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.tracker == nil {
		s.tracker = &tracker{session: s}
	}
	if !on {
		t.offLocked(s.tracker)
		return nil
	}
	if err := o.check(s.tracker); err != nil {
		return err
	}
	if !s.tracker.on {
		t.clients.Add(1)
	}
	if t.trackers == nil {
		t.trackers = make(map[*tracker]struct{})
	}
	t.trackers[s.tracker] = struct{}{}
	s.tracker.turnOn(o)
	return nil
}

func (of *tracker) turnOn(o *trackOptions) {
	of.on, of.mode, of.redirect = true, o.mode, o.redirect
	if o.mode&trackBroadcast == 0 {
		return
	}
	added := o.prefixes
	if added == nil {
		added = []string{""} // Redis adds it to the prefixes of before
	}
	of.prefixes = append(of.prefixes, added...)
	slices.Sort(of.prefixes)
	of.prefixes = slices.Compact(of.prefixes)
}

func clientCaching(c *Call) resp.Value {
	t := &c.Env().tracking
	t.mu.Lock()
	defer t.mu.Unlock()
	of := c.Session.tracker
	switch {
	case of == nil || !of.on:
		return c.Fail(errNoCaching)
	case c.Is(2, "yes") && of.mode&trackOptIn == 0:
		return c.Fail(errCachingYes)
	case c.Is(2, "no") && of.mode&trackOptOut == 0:
		return c.Fail(errCachingNo)
	case !c.Is(2, "yes") && !c.Is(2, "no"):
		return c.Fail(errSyntax)
	}
	of.mode |= trackCaching
	return resp.OK
}

// state is a copy of how the session tracks.
func (s *Session) trackState() tracker {
	s.env.tracking.mu.Lock()
	defer s.env.tracking.mu.Unlock()
	if s.tracker == nil {
		return tracker{}
	}
	return *s.tracker
}

// redir is the ID of the client that gets the messages: 0 for the client itself, -1 if it does not track.
func (of *tracker) redir() int64 {
	switch {
	case !of.on:
		return -1
	case of.redirect == nil:
		return 0
	}
	return of.redirect.ID
}

func clientGetRedir(c *Call) resp.Value {
	state := c.Session.trackState()
	return resp.Int(state.redir())
}

func clientTrackingInfo(c *Call) resp.Value {
	state := c.Session.trackState()
	return resp.Map(
		resp.BulkString("flags"), bulkSet(state.words()),
		resp.BulkString("redirect"), resp.Int(state.redir()),
		resp.BulkString("prefixes"), resp.Strings(state.prefixes),
	)
}

func bulkSet(words []string) resp.Value { return resp.Set(resp.Strings(words).Elems()...) }

// words are the state as CLIENT TRACKINGINFO spells it.
func (of *tracker) words() []string {
	if !of.on {
		return []string{"off"}
	}
	words := []string{"on"}
	for _, w := range []struct {
		mode trackMode
		word string
	}{
		{trackBroadcast, "bcast"}, {trackOptIn, "optin"}, {trackOptIn | trackCaching, "caching-yes"}, {trackOptOut, "optout"},
		{trackOptOut | trackCaching, "caching-no"}, {trackNoLoop, "noloop"}, {trackBroken, "broken_redirect"},
	} {
		if of.mode&w.mode == w.mode {
			words = append(words, w.word)
		}
	}
	return slices.Clip(words)
}
