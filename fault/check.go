package fault

import (
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/words"
)

// The errors of Check, which are those of FAULT.ADD.
var (
	errCounts      = errors.New("ERR NTH, EVERY and PROBABILITY exclude each other")
	errNegative    = errors.New("ERR NTH, EVERY, TIMES and AGE must not be negative")
	errProbability = errors.New("ERR PROBABILITY needs a number greater than 0 and at most 1")
	errWindow      = errors.New("ERR UNTIL must be after FROM")
	errNoChance    = errors.New("ERR SEED needs PROBABILITY, or DELAY with TO")
	errScripted    = errors.New("ERR only ERROR, MOVED and ASK can happen to a command that a script calls")
	errOfCalls     = errors.New("ERR COMMAND, KEY, SCRIPT and SCRIPTED are conditions on calls: CHANNEL and CONNECT " +
		"exclude them")
	errOfConnections = errors.New("ERR CONNECT excludes CHANNEL and AGE")
	errNoAction      = errors.New("ERR a rule needs an action")
	errText          = errors.New("ERR an error needs a text, of one line")
	errAddress       = errors.New("ERR MOVED and ASK need an address of the form host:port")
	errDelay         = errors.New("ERR a delay must not be negative, nor the longest one shorter than the shortest")
	errBytes         = errors.New("ERR CUTREPLY needs a number of bytes that is not negative")
	errRate          = errors.New("ERR THROTTLE needs a number of bytes greater than 0")
)

// Check returns an error if the rule makes no sense: parts that exclude each other, or values out of range. It does not
// know the names of commands.
func (r *Rule) Check() error {
	switch {
	case r.Nth < 0, r.Every < 0, r.Times < 0, r.Age < 0:
		return errNegative
	case !(0 <= r.Probability && r.Probability <= 1): // also if it is no number
		return errProbability
	case r.Nth > 0 && (r.Every > 0 || r.Probability > 0), r.Every > 0 && r.Probability > 0:
		return errCounts
	case !r.Until.IsZero() && !r.Until.After(r.From):
		return errWindow
	case r.Connect && (r.Channel != "" || r.Age > 0):
		return errOfConnections
	case r.Subject() != Calls && (r.Command != "" || r.Key != "" || r.Script != "" || r.Scripted):
		return errOfCalls
	}
	if err := r.Action.check(); err != nil {
		return err
	}
	if r.Seed != 0 && r.Probability == 0 && r.Action.Min == r.Action.Max {
		return errNoChance
	}
	return r.checkSubject()
}

// subjectNames are the subjects in errors.
var subjectNames = map[Subject]string{Calls: "a call", Messages: "a message", Connections: "a new connection"}

// checkSubject returns an error if the action is not one for what the rule is about.
func (r *Rule) checkSubject() error {
	kind := kinds[r.Action.Kind]
	switch {
	case kind.subjects&r.Subject() == 0:
		return words.Errorf("ERR %s cannot happen to %s", kind.name, subjectNames[r.Subject()])
	case r.Scripted && !kind.inScript:
		return errScripted
	}
	return nil
}

func (a *Action) check() error {
	if _, ok := kinds[a.Kind]; !ok {
		return errNoAction
	}
	switch a.Kind {
	case KindError:
		if strings.TrimSpace(a.Text) == "" || strings.ContainsAny(a.Text, "\r\n") {
			return errText
		}
	case KindMoved, KindAsk:
		_, text, err := net.SplitHostPort(a.Text)
		port, invalid := strconv.ParseUint(text, 10, 16)
		if err != nil || invalid != nil || port == 0 || strings.ContainsAny(a.Text, " \t\r\n") {
			return errAddress
		}
	case KindDelay:
		if a.Min < 0 || a.Max < a.Min || a.Max > time.Duration(maxMillis)*time.Millisecond {
			return errDelay
		}
	case KindCutReply:
		if a.Bytes < 0 {
			return errBytes
		}
	case KindThrottle:
		if a.Bytes < 1 {
			return errRate
		}
	}
	return nil
}
