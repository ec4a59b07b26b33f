package fault

import (
	"strconv"
	"strings"
	"time"
)

// Kind is what happens to a call, a message or a connection.
type Kind uint8

// The kinds of faults.
const (
	KindError     Kind = iota + 1 // the reply is an error, and the call does not run
	KindDelay                     // the call runs later, or the message is delivered later
	KindHang                      // the call runs once the rule is removed
	KindClose                     // the connection is closed, and the call does not run
	KindLoseReply                 // the call runs, and the connection is closed before the reply is sent
	KindCutReply                  // the call runs, and the connection is closed when a part of the reply is sent
	KindTwice                     // the call runs twice; the reply is that of the second time

	KindMoved       // the reply is the error MOVED with the slot of the first key, and the call does not run
	KindAsk         // the same with ASK
	KindDrop        // no subscriber gets the message
	KindRefuse      // the new connection is closed at once
	KindSilent      // no call of the new connection runs until the rule is removed
	KindStopReading // the connection is not read until the rule is removed
	KindThrottle    // the connection transfers a limited number of bytes in a second until the rule is removed
)

// kinds has what is common to all actions of a kind.
var kinds = map[Kind]struct {
	name     string  // in FAULT.ADD
	subjects Subject // that it can happen to
	inScript bool    // it can happen to a command that a script calls
}{
	KindError:       {"ERROR", Calls, true},
	KindMoved:       {"MOVED", Calls, true},
	KindAsk:         {"ASK", Calls, true},
	KindDelay:       {"DELAY", Calls | Messages, false},
	KindHang:        {"HANG", Calls, false},
	KindClose:       {"CLOSE", Calls, false},
	KindLoseReply:   {"LOSEREPLY", Calls, false},
	KindCutReply:    {"CUTREPLY", Calls, false},
	KindTwice:       {"TWICE", Calls, false},
	KindDrop:        {"DROP", Messages, false},
	KindRefuse:      {"REFUSE", Connections, false},
	KindSilent:      {"SILENT", Connections, false},
	KindStopReading: {"STOPREADING", Calls | Connections, false},
	KindThrottle:    {"THROTTLE", Calls | Connections, false},
}

// Action is what a fault does: one of the functions below returns it.
type Action struct {
	Kind     Kind
	Text     string        // of an error, with the error code: "ERR …"; of MOVED and ASK, host:port
	Min, Max time.Duration // of a delay: a random one between both, by the rule's generator
	RealTime bool          // the delay is on real time, not on the server's clock
	Bytes    int           // of the reply that are sent; or in a second, in each direction
}

// Error replies with an error and does not run the call. The text begins with the error code ("READONLY You can't …"),
// or is one of LOADING, BUSY, READONLY, OOM, MASTERDOWN, CLUSTERDOWN and TRYAGAIN, for Redis' error with that code.
func Error(text string) Action {
	if usual, ok := usualErrors[strings.ToUpper(text)]; ok {
		text = usual
	}
	return Action{Kind: KindError, Text: text}
}

// Moved replies with the error MOVED, as a node of a cluster does that does not have the slot of the call's first key.
// The address of the other node is host:port. Calls without keys do not fit the rule.
func Moved(address string) Action { return Action{Kind: KindMoved, Text: address} }

// Ask replies with the error ASK, as a node of a cluster does while the slot moves to another node. See Moved.
func Ask(address string) Action { return Action{Kind: KindAsk, Text: address} }

// Delay runs the call after d on the server's clock, which counts whole milliseconds: a part of one counts as one. A
// message is delivered after d, to those who subscribe to its channel then.
func Delay(d time.Duration) Action { return DelayBetween(d, d) }

// DelayBetween runs the call after a random delay between shortest and longest, on the server's clock.
func DelayBetween(shortest, longest time.Duration) Action {
	return Action{Kind: KindDelay, Min: wholeMillis(shortest), Max: wholeMillis(longest)}
}

func wholeMillis(d time.Duration) time.Duration {
	if part := d % time.Millisecond; part > 0 {
		return d - part + time.Millisecond
	}
	return d
}

// OnRealTime returns the delay on real time instead of the server's clock.
func (a Action) OnRealTime() Action {
	a.RealTime = true
	return a
}

// Hang runs the call when the rule is removed.
func Hang() Action { return Action{Kind: KindHang} }

// Close closes the connection and does not run the call.
func Close() Action { return Action{Kind: KindClose} }

// LoseReply runs the call, and closes the connection before the reply is sent.
func LoseReply() Action { return Action{Kind: KindLoseReply} }

// CutReply runs the call, and closes the connection when the first bytes of the reply are sent.
func CutReply(bytes int) Action { return Action{Kind: KindCutReply, Bytes: bytes} }

// Twice runs the call twice. The reply is that of the second time.
func Twice() Action { return Action{Kind: KindTwice} }

// Drop makes a message reach no subscriber. The publisher's reply is as usual.
func Drop() Action { return Action{Kind: KindDrop} }

// Refuse closes a new connection before anything is sent or read.
func Refuse() Action { return Action{Kind: KindRefuse} }

// Silent accepts a new connection and answers none of its calls until the rule is removed; then they run.
func Silent() Action { return Action{Kind: KindSilent} }

// StopReading makes the server read nothing more from the connection until the rule is removed. A call that the rule
// hits runs, as do those that have been read with it.
func StopReading() Action { return Action{Kind: KindStopReading} }

// Throttle makes the connection send and receive no more than that many bytes in a second, until the rule is removed.
// The time is that of the server's clock.
func Throttle(bytesPerSecond int) Action { return Action{Kind: KindThrottle, Bytes: bytesPerSecond} }

// usualErrors are the errors that have a name in FAULT.ADD, with Redis' texts.
var usualErrors = map[string]string{
	"LOADING":     "LOADING Redis is loading the dataset in memory",
	"BUSY":        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
	"READONLY":    "READONLY You can't write against a read only replica.",
	"OOM":         "OOM command not allowed when used memory > 'maxmemory'.",
	"MASTERDOWN":  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
	"CLUSTERDOWN": "CLUSTERDOWN The cluster is down",
	"TRYAGAIN":    "TRYAGAIN Multiple keys request during rehashing of slot",
}

// Name is the name of the action in FAULT.ADD, such as "MOVED".
func (a Action) Name() string { return kinds[a.Kind].name }

// Redirects reports whether the reply names the slot of a key: then the rule is for calls with keys only.
func (a Action) Redirects() bool { return a.Kind == KindMoved || a.Kind == KindAsk }

// String is the action as FAULT.ADD takes it.
func (a Action) String() string { return strings.Join(a.args(), " ") }

// args are the arguments of FAULT.ADD that make the action.
func (a *Action) args() []string {
	args := []string{a.Name()}
	switch a.Kind {
	case KindError, KindMoved, KindAsk:
		args = append(args, a.Text)
	case KindDelay:
		args = append(args, millis(a.Min))
		if a.Max > a.Min {
			args = append(args, "TO", millis(a.Max))
		}
		if a.RealTime {
			args = append(args, "REALTIME")
		}
	case KindCutReply, KindThrottle:
		args = append(args, strconv.Itoa(a.Bytes))
	}
	return args
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
