package fault

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/words"
)

// Usage is the syntax of a rule, in the notation of redis-cli's HELP.
const Usage = "[COMMAND <command-name | @category>] [SCRIPTED] [KEY pattern] [SCRIPT sha1-or-function] " +
	"[CHANNEL pattern | CONNECT] [CLIENT id-or-pattern] [AGE milliseconds] [FROM unix-time-milliseconds] " +
	"[UNTIL unix-time-milliseconds] " +
	"[NTH n | EVERY k | PROBABILITY p] [SEED seed] [TIMES count] THEN " +
	"<ERROR text | MOVED host:port | ASK host:port | DELAY milliseconds [TO milliseconds] [REALTIME] | HANG | CLOSE | " +
	"LOSEREPLY | CUTREPLY bytes | TWICE | DROP | REFUSE | SILENT | STOPREADING | THROTTLE bytes-per-second>"

// Parse returns the rule of the arguments of FAULT.ADD. The text of an error is "ERR …", as in a reply.
func Parse(args []string) (r Rule, err error) {
	p := parser{args: args}
	for !p.is("THEN") {
		if err := p.condition(&r); err != nil {
			return Rule{}, err
		}
	}
	if r.Action, err = p.action(); err != nil {
		return Rule{}, err
	}
	return r, r.Check()
}

var (
	errNoThen = errors.New("ERR THEN and what is to happen are missing")
	errSeed   = errors.New("ERR SEED needs an integer greater than 0")
)

// parser reads arguments one after the other.
type parser struct{ args []string }

// is reports whether the next argument is a keyword, and skips it.
func (p *parser) is(keyword string) bool {
	if len(p.args) == 0 || !strings.EqualFold(p.args[0], keyword) {
		return false
	}
	p.args = p.args[1:]
	return true
}

// keyword returns the next argument in upper case.
func (p *parser) keyword() (string, error) {
	if len(p.args) == 0 {
		return "", errNoThen
	}
	keyword := strings.ToUpper(p.args[0])
	p.args = p.args[1:]
	return keyword, nil
}

// value returns the argument of a keyword.
func (p *parser) value(keyword string) (string, error) {
	if len(p.args) == 0 || p.args[0] == "" {
		return "", words.Errorf("ERR %s needs a value", keyword)
	}
	v := p.args[0]
	p.args = p.args[1:]
	return v, nil
}

// number returns the argument of a keyword as an integer of at least low.
func (p *parser) number(keyword string, low int64) (int64, error) {
	v, err := p.value(keyword)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < low {
		return 0, words.Errorf("ERR %s needs an integer of at least %d", keyword, low)
	}
	return n, nil
}

// maxMillis is the longest duration in ms.
const maxMillis = math.MaxInt64 / int64(time.Millisecond)

func (p *parser) millis(keyword string) (time.Duration, error) {
	n, err := p.number(keyword, 0)
	return time.Duration(min(n, maxMillis)) * time.Millisecond, err
}

// condition reads one condition.
func (p *parser) condition(r *Rule) (err error) {
	keyword, err := p.keyword()
	if err != nil {
		return err
	}
	switch keyword {
	case "COMMAND":
		r.Command, err = p.value(keyword)
		r.Command = strings.ToLower(r.Command)
	case "SCRIPTED":
		r.Scripted = true
	case "KEY":
		r.Key, err = p.value(keyword)
	case "SCRIPT":
		r.Script, err = p.value(keyword)
	case "CHANNEL":
		r.Channel, err = p.value(keyword)
	case "CONNECT":
		r.Connect = true
	case "CLIENT":
		r.Client, err = p.value(keyword)
	case "AGE":
		r.Age, err = p.millis(keyword)
	case "FROM":
		r.From, err = p.moment(keyword)
	case "UNTIL":
		r.Until, err = p.moment(keyword)
	default:
		return p.count(keyword, r)
	}
	return err
}

// count reads a condition that counts the calls which fit the others.
func (p *parser) count(keyword string, r *Rule) (err error) {
	switch keyword {
	case "NTH":
		r.Nth, err = p.number(keyword, 1)
	case "EVERY":
		r.Every, err = p.number(keyword, 1)
	case "TIMES":
		r.Times, err = p.number(keyword, 1)
	case "PROBABILITY":
		r.Probability, err = p.probability(keyword)
	case "SEED":
		r.Seed, err = p.seed(keyword)
	default:
		if isFault(keyword) {
			return words.Errorf("ERR THEN is missing before '%s'", keyword)
		}
		return words.Errorf("ERR unknown condition '%s'", keyword)
	}
	return err
}

// isFault reports whether a keyword is the name of what is to happen.
func isFault(keyword string) bool { return slices.Contains(faultNames(), keyword) }

// faultNames returns what can follow THEN, sorted.
func faultNames() (names []string) {
	for _, kind := range kinds {
		names = append(names, kind.name)
	}
	slices.Sort(names)
	return names
}

func (p *parser) probability(keyword string) (float64, error) {
	text, err := p.value(keyword)
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f <= 0 {
		return 0, errProbability
	}
	return f, nil
}

func (p *parser) seed(keyword string) (uint64, error) {
	text, err := p.value(keyword)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 {
		return 0, errSeed
	}
	return n, nil
}

func (p *parser) moment(keyword string) (time.Time, error) {
	ms, err := p.number(keyword, 0)
	return time.UnixMilli(ms), err
}

// action reads what follows THEN.
func (p *parser) action() (a Action, err error) {
	name, err := p.keyword()
	if err != nil {
		return a, err
	}
	switch name {
	case "ERROR":
		a, err = p.errorReply()
	case "DELAY":
		a, err = p.delay()
	case "MOVED":
		a.Kind = KindMoved
		a.Text, err = p.value(name)
	case "ASK":
		a.Kind = KindAsk
		a.Text, err = p.value(name)
	case "CUTREPLY":
		a.Kind = KindCutReply
		a.Bytes, err = p.bytes(name, 0)
	case "THROTTLE":
		a.Kind = KindThrottle
		a.Bytes, err = p.bytes(name, 1)
	default:
		simple, ok := simpleActions[name]
		if !ok {
			return a, words.Errorf("ERR unknown fault '%s'; the faults are %s", name, strings.Join(faultNames(), ", "))
		}
		a = simple()
	}
	if err == nil && len(p.args) > 0 {
		err = words.Errorf("ERR unexpected '%s' after the fault; conditions come before THEN, and a text is quoted",
			p.args[0])
	}
	return a, err
}

var simpleActions = map[string]func() Action{"HANG": Hang, "CLOSE": Close, "LOSEREPLY": LoseReply, "TWICE": Twice,
	"DROP": Drop, "REFUSE": Refuse, "SILENT": Silent, "STOPREADING": StopReading}

// bytes reads a number of bytes; one that does not fit is the largest.
func (p *parser) bytes(keyword string, low int64) (int, error) {
	n, err := p.number(keyword, low)
	return int(min(n, math.MaxInt32)), err
}

// errorReply reads the text of an error, or the name of a usual one.
func (p *parser) errorReply() (Action, error) {
	text, err := p.value("ERROR")
	if err != nil {
		return Action{}, err
	}
	return Error(text), nil
}

func (p *parser) delay() (Action, error) {
	shortest, err := p.millis("DELAY")
	if err != nil {
		return Action{}, err
	}
	a := Delay(shortest)
	if p.is("TO") {
		a.Max, err = p.millis("TO")
	}
	a.RealTime = p.is("REALTIME")
	return a, err
}
