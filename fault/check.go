package fault

import (
	"errors"
	"strings"
	"time"
)

// The errors of Check, which are those of FAULT.ADD.
var (
	errCounts      = errors.New("ERR NTH, EVERY and PROBABILITY exclude each other")
	errNegative    = errors.New("ERR NTH, EVERY, TIMES and AGE must not be negative")
	errProbability = errors.New("ERR PROBABILITY needs a number greater than 0 and at most 1")
	errScripted    = errors.New("ERR only ERROR can happen to a command that a script calls")
	errNoAction    = errors.New("ERR a rule needs an action")
	errText        = errors.New("ERR an error needs a text, of one line")
	errDelay       = errors.New("ERR a delay must not be negative, nor the longest one shorter than the shortest")
	errBytes       = errors.New("ERR CUTREPLY needs a number of bytes that is not negative")
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
	case r.Scripted && r.Action.Kind != KindError:
		return errScripted
	}
	return r.Action.check()
}

func (a *Action) check() error {
	switch a.Kind {
	case KindError:
		if strings.TrimSpace(a.Text) == "" || strings.ContainsAny(a.Text, "\r\n") {
			return errText
		}
	case KindDelay:
		if a.Min < 0 || a.Max < a.Min || a.Max > time.Duration(maxMillis)*time.Millisecond {
			return errDelay
		}
	case KindCutReply:
		if a.Bytes < 0 {
			return errBytes
		}
	case KindHang, KindClose, KindLoseReply, KindTwice:
	default:
		return errNoAction
	}
	return nil
}
