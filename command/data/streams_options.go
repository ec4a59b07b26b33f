package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/store"
)

// XADD and XTRIM share the options that trim a stream (XTRIM command page). MAXLEN and MINID take "=" for exact
// trimming, the default, or "~" for trimming by whole nodes, which alone may have a LIMIT.

// The errors of trimming. A second strategy, even the same one, and a negative number are found at once; the
// others when all options are parsed.
var (
	errMaxLenAndMinID = errors.New("ERR syntax error, MAXLEN and MINID options at the same time are not compatible")
	errMaxLenNegative = errors.New("ERR The MAXLEN argument must be >= 0.")
	errLimitNegative  = errors.New("ERR The LIMIT argument must be >= 0.")
	errLimitNoTrim    = errors.New("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy")
	errLimitExact     = errors.New("ERR syntax error, LIMIT cannot be used without the special ~ option")
	errXtrimNoTrim    = errors.New("ERR syntax error, XTRIM must be called with a trimming strategy")
)

// trimDefaultLimit is LIMIT of "~" if it is not given: the entries of 100 nodes, but at most 1000000, and 10000 if
// nodes have no limit (stream-node-max-entries).
func trimDefaultLimit(entries int64) int {
	switch {
	case entries <= 0:
		return 10_000
	case entries > 10_000:
		return 1_000_000
	}
	return int(100 * entries)
}

// trimOptions are the options of XADD and XTRIM that trim.
type trimOptions struct {
	refsOption
	trim    store.Trimming
	trims   bool // a strategy is given
	limited bool // LIMIT is given
	at      int  // index of the threshold
}

// exactly returns the arguments of the call with a threshold that trims to what the stream has now: where nodes end
// that ~ leaves whole is up to each server.
func (o *trimOptions) exactly(c *command.Call, s *store.Stream) [][]byte {
	args := slices.Clone(c.Args)
	switch {
	case !o.trim.Roughly:
		return args
	case o.trim.ByID:
		args[o.at] = beginOf(s).Append(nil)
	default:
		args[o.at] = decimal(int64(s.Len()))
	}
	args[o.at-1] = []byte("=")
	return args
}

// beginOf is where the entries begin, the highest ID if there are none.
func beginOf(s *store.Stream) store.StreamID {
	if id, ok := s.Begin(); ok {
		return id
	}
	return store.MaxStreamID
}

// parseOption reads the option at argument i and returns how many arguments it used, 0 if it is no option of
// trimming.
func (o *trimOptions) parseOption(c *command.Call, i int) (used int, err error) {
	switch {
	case o.parseRefs(c, i):
		o.trim.Refs = o.refs
		return 1, nil
	case i+1 == c.Len():
		return 0, nil
	case c.Is(i, "maxlen"), c.Is(i, "minid"):
		return o.parseThreshold(c, i)
	case c.Is(i, "limit"):
		o.limited = true
		n, err := c.Index(i + 1)
		if err == nil && n < 0 {
			err = errLimitNegative
		}
		o.trim.Limit = n
		return 2, err
	}
	return 0, nil
}

// parseThreshold reads MAXLEN or MINID with an optional "=" or "~" and the threshold.
func (o *trimOptions) parseThreshold(c *command.Call, i int) (used int, err error) {
	if o.trims {
		return 0, errMaxLenAndMinID
	}
	o.trims, o.trim.ByID = true, c.Is(i, "minid")
	used = 2
	if mark := string(c.Arg(i + 1)); i+2 < c.Len() && (mark == "~" || mark == "=") {
		o.trim.Roughly = mark == "~"
		used = 3
	}
	o.at = i + used - 1
	if o.trim.ByID {
		o.trim.MinID, err = parseStreamID(c.Arg(o.at), 0)
		return used, err
	}
	o.trim.MaxLen, err = c.Index(o.at)
	if err == nil && o.trim.MaxLen < 0 {
		err = errMaxLenNegative
	}
	return used, err
}

// check returns an error if the options contradict each other, and sets the default limit.
func (o *trimOptions) check(c *command.Call) error {
	switch {
	case c.Session.IsMaster():
		o.trim.Limit = 0 // the threshold is what the master has left
	case !o.trims && o.trim.Limit > 0:
		return errLimitNoTrim
	case o.limited && !o.trim.Roughly:
		return errLimitExact
	case o.trim.Roughly && !o.limited:
		o.trim.Limit = trimDefaultLimit(c.Env().Config.Thresholds().StreamEntries.Load())
	}
	return nil
}

// parseXtrim requires MAXLEN or MINID.
func parseXtrim(c *command.Call) (o trimOptions, err error) {
	for i := 2; i < c.Len(); {
		used, err := o.parseOption(c, i)
		switch {
		case err != nil:
			return o, err
		case used == 0:
			return o, command.ErrSyntax
		}
		i += used
	}
	if !o.trims && o.trim.Limit == 0 {
		return o, errXtrimNoTrim
	}
	return o, o.check(c)
}

// xaddOptions are the arguments of XADD before the fields.
type xaddOptions struct {
	trimOptions
	noMkStream bool
	id         store.StreamID
	autoID     bool // *: the server chooses the id
	autoSeq    bool // ms-*: the server chooses seq
	fields     int  // index of the first field
}

// parseXadd checks the id before LIMIT, and the number of fields last, as Redis does.
func parseXadd(c *command.Call) (o xaddOptions, err error) {
	i, err := o.parseOptions(c)
	if err != nil {
		return o, err
	}
	if i < c.Len() {
		if err := o.parseID(c.Arg(i)); err != nil {
			return o, err
		}
	}
	if err := o.check(c); err != nil {
		return o, err
	}
	o.fields = i + 1
	switch used := c.Len() - o.fields; {
	case used < 2 || used%2 != 0:
		return o, command.ErrArity(c.Cmd)
	// 0-* is allowed: seq then starts at 1.
	case !o.autoID && !o.autoSeq && o.id == store.StreamID{}:
		return o, errXaddZero
	}
	return o, nil
}

// parseOptions reads the options and returns the index of the argument after them: the id.
func (o *xaddOptions) parseOptions(c *command.Call) (i int, err error) {
	for i = 2; i < c.Len(); {
		used, err := o.parseOption(c, i)
		switch {
		case err != nil:
			return i, err
		case used > 0:
			i += used
		case c.Is(i, "nomkstream"):
			o.noMkStream = true
			i++
		default:
			return i, nil
		}
	}
	return i, nil
}

// parseID parses ms-seq, ms-* or *.
func (o *xaddOptions) parseID(arg []byte) (err error) {
	if string(arg) == "*" {
		o.autoID = true
		return nil
	}
	if n := len(arg) - len("-*"); n > 0 && string(arg[n:]) == "-*" {
		o.autoSeq = true
		arg = arg[:n]
	}
	o.id, err = parseStreamID(arg, 0)
	return err
}
