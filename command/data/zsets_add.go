package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// ZADD, ZINCRBY (ZADD with INCR) and geo commands share the options of ZADD (ZADD command page). All scores are parsed
// before the first member is added, so a score that is no float changes nothing. An increment that results in NaN stops
// the call, but members added before stay, as in Redis.

var zsetAddCommands = []command.Command{
	{Name: "zadd", Usage: "key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...]", Arity: -4,
		Flags: writeDenyOOMFast, Keys: command.OneKey, Access: "RW update", Since: "1.2.0",
		Summary: "Adds members to a sorted set, or sets their scores.", Run: zadd(false)},
	{Name: "zincrby", Usage: "key increment member", Arity: 4, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.2.0",
		Summary: "Increments the score of a member of a sorted set. Uses 0 as initial score.", Run: zadd(true)},
}

// The errors of options that exclude each other, in the order in which they are checked; and errScoreNaN, which only
// INCR can have: it adds inf to -inf.
var (
	errNXAndXX   = errors.New("ERR XX and NX options at the same time are not compatible")
	errGTLTAndNX = errors.New("ERR GT, LT, and/or NX options at the same time are not compatible")
	errIncrPairs = errors.New("ERR INCR option supports a single increment-element pair")
	errScoreNaN  = errors.New("ERR resulting score is not a number (NaN)")
)

// zaddOptions are the options of ZADD: NX only adds members, XX only updates them; GT and LT update a score only if the
// new one is higher or lower; CH counts updated members in the reply, too; INCR adds to the score and replies it.
type zaddOptions struct {
	nx, xx, gt, lt, ch, incr bool

	first  int // index of the first score
	stride int // arguments per member, which is the last of them
}

// parseZadd checks the options in the order of Redis: a missing member is a syntax error before anything else.
func parseZadd(c *command.Call, incr bool) (zaddOptions, error) {
	o := zaddOptions{incr: incr, first: 2, stride: 2}
	for o.first < c.Len() && o.parseOption(c, o.first) {
		o.first++
	}
	rest := c.Len() - o.first
	switch {
	case rest == 0 || rest%2 != 0:
		return o, command.ErrSyntax
	case o.nx && o.xx:
		return o, errNXAndXX
	// XX may be combined with GT or LT, NX with neither.
	case o.gt && o.nx, o.lt && o.nx, o.gt && o.lt:
		return o, errGTLTAndNX
	case o.incr && rest > 2:
		return o, errIncrPairs
	}
	return o, nil
}

// parseOption sets the option that argument i names, and reports whether it is one.
func (o *zaddOptions) parseOption(c *command.Call, i int) bool {
	switch {
	case c.Is(i, "nx"):
		o.nx = true
	case c.Is(i, "xx"):
		o.xx = true
	case c.Is(i, "gt"):
		o.gt = true
	case c.Is(i, "lt"):
		o.lt = true
	case c.Is(i, "ch"):
		o.ch = true
	case c.Is(i, "incr"):
		o.incr = true
	default:
		return false
	}
	return true
}

// zaddResult counts what a ZADD did.
type zaddResult struct {
	added, updated int64
	score          float64 // of the last member that no option skipped
	processed      bool    // a member was not skipped
}

// zadd returns the handler of ZADD key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...], or of ZINCRBY
// key increment member. ZINCRBY reads options, too: an increment such as NX is taken for one and ends in a syntax
// error, as in Redis.
func zadd(incr bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		o, err := parseZadd(c, incr)
		if err != nil {
			return c.Fail(err)
		}
		var few [4]float64 // spares an allocation for most calls
		scores, err := parseScores(c, o.first, few[:0])
		if err != nil {
			return c.Fail(err)
		}
		return o.run(c, scores)
	}
}

// run sets the scores and replies. Without a change there is no event.
func (o *zaddOptions) run(c *command.Call, scores []float64) resp.Value {
	r, err := o.addAll(c, scores)
	if err != nil {
		return c.Fail(err)
	}
	if changes := int(r.added + r.updated); changes > 0 {
		event := either(o.incr, "zincr", "zadd")
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventZSet, Event: event, Count: changes})
		if o.stride == geoStride && c.Propagates() {
			o.propagateGeoAdd(c)
		}
	}
	return o.reply(c, r)
}

// addAll adds the members in the order of the arguments.
func (o *zaddOptions) addAll(c *command.Call, scores []float64) (r zaddResult, err error) {
	z, err := o.target(c)
	if err != nil || z == nil {
		return r, err
	}
	if c.Does(emulate.SizesByArguments) {
		z.Expect(len(scores), o.longest(c))
	}
	for i, score := range scores {
		if err := o.add(z, c.Arg(o.first+o.stride*(i+1)-1), score, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// longest is the length of the longest member, as far as it counts before the members are added, else 0.
func (o *zaddOptions) longest(c *command.Call) (n int) {
	if c.Does(emulate.SizesBySkipped) {
		for i := o.first + o.stride - 1; i < c.Len(); i += o.stride {
			n = max(n, len(c.Arg(i)))
		}
	}
	return n
}

// target returns the sorted set for writing. With XX a missing one is not created, and target returns nil.
func (o *zaddOptions) target(c *command.Call) (*store.ZSet, error) {
	if o.xx {
		return writeZSet(c, c.Key(1))
	}
	return store.GetOrCreate(c.Tx, c.Key(1), store.NewZSet)
}

// add sets the score of one member unless NX, XX, GT or LT skips it. GT and LT compare the result of an increment,
// not the increment, and never skip new members.
func (o *zaddOptions) add(z *store.ZSet, member []byte, score float64, r *zaddResult) error {
	old, known := z.Score(member)
	if known && o.nx || !known && o.xx {
		return nil
	}
	if known && o.incr {
		score += old
	}
	switch {
	case math.IsNaN(score):
		return errScoreNaN
	// GT and LT never skip new members (ZADD command page).
	case known && (o.gt && score <= old || o.lt && score >= old):
		return nil
	case !known:
		r.added++
	case score != old:
		r.updated++
	}
	// An equal score needs no write, but the member counts as processed.
	if !known || score != old {
		z.Set(member, score)
	}
	r.processed, r.score = true, score
	return nil
}

// reply is the new score or null with INCR, else the number of new members, with CH of all changed ones.
func (o *zaddOptions) reply(c *command.Call, r zaddResult) resp.Value {
	switch {
	case o.incr && r.processed:
		return c.Double(r.score)
	case o.incr:
		return resp.Null
	case o.ch:
		return resp.Int(r.added + r.updated)
	}
	return resp.Int(r.added)
}

// parseScores appends to dst the scores: every second argument from i on.
func parseScores(c *command.Call, i int, dst []float64) ([]float64, error) {
	for ; i < c.Len(); i += 2 {
		score, err := parseScore(c, c.Arg(i))
		if err != nil {
			return nil, err
		}
		dst = append(dst, score)
	}
	return dst, nil
}

// parseScore parses a score, which may be infinite but not NaN.
func parseScore(c *command.Call, b []byte) (float64, error) {
	if f, ok := num.ParseFinite(b); ok && !(c.Does(emulate.DecimalScores) && num.IsHex(b)) {
		return f, nil
	}
	return 0, command.ErrNotFloat
}
