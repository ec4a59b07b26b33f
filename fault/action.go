package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is what happens to a call.
type Kind uint8

// The kinds of faults.
const (
	KindError     Kind = iota + 1 // the reply is an error, and the call does not run
	KindDelay                     // the call runs later
	KindHang                      // the call runs once the rule is removed
	KindClose                     // the connection is closed, and the call does not run
	KindLoseReply                 // the call runs, and the connection is closed before the reply is sent
	KindCutReply                  // the call runs, and the connection is closed when a part of the reply is sent
	KindTwice                     // the call runs twice; the reply is that of the second time
)

// Action is what a fault does to a call: one of the functions below returns it.
type Action struct {
	Kind     Kind
	Text     string        // of an error, with the error code: "ERR …"
	Min, Max time.Duration // of a delay: a random one between both, by the rule's generator
	RealTime bool          // the delay is on real time, not on the server's clock
	Bytes    int           // of the reply that are sent
}

// Error replies with an error and does not run the call. The text begins with the error code ("READONLY You can't …"),
// or is one of LOADING, BUSY, READONLY, OOM, MASTERDOWN, CLUSTERDOWN and TRYAGAIN, for Redis' error with that code.
func Error(text string) Action {
	if usual, ok := usualErrors[strings.ToUpper(text)]; ok {
		text = usual
	}
	return Action{Kind: KindError, Text: text}
}

// Delay runs the call after d on the server's clock, which counts whole milliseconds: a part of one counts as one.
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

// String is the action as FAULT.ADD takes it.
func (a Action) String() string { return strings.Join(a.args(), " ") }

// args are the arguments of FAULT.ADD that make the action.
func (a *Action) args() []string {
	switch a.Kind {
	case KindError:
		return []string{"ERROR", a.Text}
	case KindDelay:
		args := []string{"DELAY", millis(a.Min)}
		if a.Max > a.Min {
			args = append(args, "TO", millis(a.Max))
		}
		if a.RealTime {
			args = append(args, "REALTIME")
		}
		return args
	case KindHang:
		return []string{"HANG"}
	case KindClose:
		return []string{"CLOSE"}
	case KindLoseReply:
		return []string{"LOSEREPLY"}
	case KindCutReply:
		return []string{"CUTREPLY", strconv.Itoa(a.Bytes)}
	case KindTwice:
		return []string{"TWICE"}
	}
	panic(fmt.Sprintf("fault: unknown kind %d", a.Kind))
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
