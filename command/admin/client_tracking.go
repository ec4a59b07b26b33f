package admin

// CLIENT TRACKING, CLIENT CACHING and what shows their state (Redis documentation: client-side caching). Here options
// are parsed and checked against what the client has set before; internal/tracking has the state and makes the
// messages.

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/internal/words"
)

// trackingCommands are subcommands of CLIENT.
var trackingCommands = []command.Command{
	{Name: "caching", Usage: "<YES | NO>", Arity: 3, Flags: connectionFlags, Since: "6.0.0",
		Changes: whileBusy,
		Summary: "Says whether the keys of the next command are tracked.", Run: clientCaching},
	{Name: "getredir", Arity: 2, Flags: connectionFlags, Since: "6.0.0",
		Changes: whileBusy,
		Summary: "Tells which client gets the connection's tracking messages; -1 for none.", Run: clientGetRedir},
	{Name: "tracking",
		Usage: "<ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN] [OPTOUT] [NOLOOP]",
		Arity: -3, Flags: connectionFlags, Since: "6.0.0",
		Summary: "Turns messages about changed keys on and off, for a client that caches them.", Run: clientTracking},
	{Name: "trackinginfo", Arity: 2, Flags: connectionFlags, Since: "6.2.0",
		Summary: "Tells how the connection tracks keys.", Run: clientTrackingInfo},
}

var (
	errTwoRedirects  = errors.New("ERR A client can only redirect to a single other client")
	errNoRedirect    = errors.New("ERR The client ID you want redirect to does not exist")
	errPrefixNoBcast = errors.New("ERR PREFIX option requires BCAST mode to be enabled")
	errSwitchBcast   = errors.New("ERR You can't switch BCAST mode on/off before disabling tracking for this client, " +
		"and then re-enabling it with a different mode.")
	errOptBcast  = errors.New("ERR OPTIN and OPTOUT are not compatible with BCAST")
	errOptBoth   = errors.New("ERR You can't specify both OPTIN mode and OPTOUT mode")
	errSwitchOpt = errors.New("ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, " +
		"and then re-enabling it with a different mode.")
	errNoCaching = errors.New("ERR CLIENT CACHING can be called only when the client is in tracking mode with " +
		"OPTIN or OPTOUT mode enabled")
	errCachingYes = errors.New("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.")
	errCachingNo  = errors.New("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.")
)

// trackModes are the options of CLIENT TRACKING without a value.
var trackModes = map[string]tracking.Mode{"bcast": tracking.Broadcasting, "optin": tracking.OptIn,
	"optout": tracking.OptOut, "noloop": tracking.NoLoop}

// trackOptions parses the options of CLIENT TRACKING from argument 3 on. REDIRECT may be given once, PREFIX several
// times. OFF has to be followed by valid options as well, though they mean nothing to it.
func trackOptions(c *command.Call) (o tracking.State, err error) {
	for i := 3; i < c.Len(); i++ {
		mode, more := trackModes[strings.ToLower(string(c.Arg(i)))], i+1 < c.Len()
		switch {
		case mode != 0:
			o.Mode |= mode
		case c.Is(i, "redirect") && more:
			i++
			err = setRedirect(c, i, &o)
		case c.Is(i, "prefix") && more:
			i++
			o.Prefixes = append(o.Prefixes, string(c.Arg(i)))
		default:
			err = command.ErrSyntax
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// setRedirect finds the client that is to get the messages, argument i. It must be connected now. If it disconnects
// later, the tracking client gets a push tracking-redir-broken.
func setRedirect(c *command.Call, i int, o *tracking.State) error {
	if o.Redirect != nil {
		return errTwoRedirects
	}
	id, err := c.Int(i)
	if err != nil {
		return err
	}
	c.Env().Clients.Each(func(s *command.Session) {
		if s.ID == id {
			o.Redirect = s
		}
	})
	if o.Redirect == nil {
		return errNoRedirect
	}
	return nil
}

// checkTracking returns the error for options o of a client that tracks as in now, in the order of Redis. To change
// from OPTIN to OPTOUT, or to or from BCAST, a client must turn tracking off first.
func checkTracking(o, now *tracking.State) error {
	const opts = tracking.OptIn | tracking.OptOut
	switch {
	case o.Mode&tracking.Broadcasting == 0 && o.Prefixes != nil:
		return errPrefixNoBcast
	case now.On && (o.Mode^now.Mode)&tracking.Broadcasting != 0:
		return errSwitchBcast
	case o.Mode&tracking.Broadcasting != 0 && o.Mode&opts != 0:
		return errOptBcast
	case o.Mode&opts == opts:
		return errOptBoth
	case o.Mode&tracking.OptIn != 0 && now.Mode&tracking.OptOut != 0,
		o.Mode&tracking.OptOut != 0 && now.Mode&tracking.OptIn != 0:
		return errSwitchOpt
	case o.Mode&tracking.Broadcasting != 0:
		return checkPrefixes(o.Prefixes, now.Prefixes)
	}
	return nil
}

// checkPrefixes returns an error if one prefix begins with another: a key that has both would be pushed twice.
func checkPrefixes(prefixes, present []string) error {
	const message = "ERR Prefix '%s' overlaps with %s prefix '%s'. Prefixes for a single client must not overlap."
	for i, prefix := range prefixes {
		for _, old := range present {
			if overlap(prefix, old) {
				return words.Errorf(message, prefix, "an existing", old)
			}
		}
		for _, other := range prefixes[i+1:] {
			if overlap(prefix, other) {
				return words.Errorf(message, prefix, "another provided", other)
			}
		}
	}
	return nil
}

// overlap reports whether some key begins with both prefixes. Equal prefixes overlap.
func overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// clientTracking turns tracking on or off: CLIENT TRACKING <ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX
// prefix ...]] [BCAST] [OPTIN] [OPTOUT] [NOLOOP]. A RESP2 client without REDIRECT is not an error, but gets no
// messages.
func clientTracking(c *command.Call) resp.Value {
	options, err := trackOptions(c)
	switch {
	case err != nil:
	case c.Is(2, "on"):
		err = track(c.Session, &options)
	case c.Is(2, "off"):
		c.Session.Untrack()
	default:
		err = command.ErrSyntax
	}
	return c.OKOr(err)
}

// track turns tracking on, or changes its options. They are checked under the lock of the table.
func track(s *command.Session, o *tracking.State) error {
	return s.NewTracker().TurnOn(o, func(now *tracking.State) error { return checkTracking(o, now) })
}

// clientCaching decides about the keys of the next command: CLIENT CACHING <YES | NO>. YES is for clients that track
// with OPTIN, and NO for OPTOUT. After MULTI it holds until EXEC.
func clientCaching(c *command.Call) resp.Value {
	tracker := c.Session.Tracker()
	if tracker == nil {
		return c.Fail(errNoCaching)
	}
	err := tracker.Cache(func(now *tracking.State) error {
		switch {
		case !now.On:
			return errNoCaching
		case c.Is(2, "yes") && now.Mode&tracking.OptIn == 0:
			return errCachingYes
		case c.Is(2, "no") && now.Mode&tracking.OptOut == 0:
			return errCachingNo
		case !c.Is(2, "yes") && !c.Is(2, "no"):
			return command.ErrSyntax
		}
		return nil
	})
	return c.OKOr(err)
}

// clientGetRedir returns the ID of the client that gets the messages: CLIENT GETREDIR. It is 0 for the connection
// itself, and -1 if it does not track.
func clientGetRedir(c *command.Call) resp.Value {
	state := c.Session.Tracker().State()
	return resp.Int(state.RedirectID())
}

// clientTrackingInfo returns flags, redirection and prefixes as a map: CLIENT TRACKINGINFO.
func clientTrackingInfo(c *command.Call) resp.Value {
	state := c.Session.Tracker().State()
	return resp.Map(
		resp.BulkString("flags"), bulkSet(trackingFlags(&state)),
		resp.BulkString("redirect"), resp.Int(state.RedirectID()),
		resp.BulkString("prefixes"), resp.Strings(state.Prefixes),
	)
}

// bulkSet returns a set of bulk strings; in RESP2 it is an array.
func bulkSet(members []string) resp.Value { return resp.Set(resp.Strings(members).Elems()...) }

// trackingFlags returns the flags of CLIENT TRACKINGINFO in the order of Redis: "off" alone, or "on" and the options.
// caching-yes and caching-no are there between CLIENT CACHING and the next command.
func trackingFlags(s *tracking.State) []string {
	if !s.On {
		return []string{"off"}
	}
	flags := []string{"on"}
	for _, f := range []struct {
		mode tracking.Mode
		name string
	}{
		{tracking.Broadcasting, "bcast"}, {tracking.OptIn, "optin"}, {tracking.OptIn | tracking.Caching, "caching-yes"},
		{tracking.OptOut, "optout"}, {tracking.OptOut | tracking.Caching, "caching-no"}, {tracking.NoLoop, "noloop"},
		{tracking.Broken, "broken_redirect"},
	} {
		if s.Mode&f.mode == f.mode {
			flags = append(flags, f.name)
		}
	}
	return flags
}
