package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var zsetAddCommands = []command.Command{
	{Name: "zadd", Usage: "key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...]", Arity: -4,
		Flags: writeDenyOOMFast, Keys: command.OneKey, Access: "RW update", Since: "1.2.0",
		Summary: "Adds members to a sorted set, or sets their scores.", Run: zadd(false)},
	{Name: "zincrby", Usage: "key increment member", Arity: 4, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.2.0",
		Summary: "Increments the score of a member of a sorted set. Uses 0 as initial score.", Run: zadd(true)},
}

var (
	errNXAndXX   = errors.New("ERR XX and NX options at the same time are not compatible")
	errGTLTAndNX = errors.New("ERR GT, LT, and/or NX options at the same time are not compatible")
	errIncrPairs = errors.New("ERR INCR option supports a single increment-element pair")
	errScoreNaN  = errors.New("ERR resulting score is not a number (NaN)")
)

// zaddOptions are the words of ZADD before the scores and members. ZINCRBY is ZADD with INCR.
type zaddOptions struct {
	nx, xx, gt, lt, ch, incr bool

	first  int // the word that is the first score
	stride int // words from one score to the next; the member is the last of them
}

func parseZadd(c *command.Call, incr bool) (zaddOptions, error) {
	o := zaddOptions{incr: incr, first: 2, stride: 2}
	for o.first < c.Len() && o.parseOption(c, o.first) {
		o.first++
	}
	words := c.Len() - o.first
	switch {
	case words == 0 || words%2 != 0:
		return o, command.ErrSyntax
	case o.nx && o.xx:
		return o, errNXAndXX
	case o.gt && o.nx, o.lt && o.nx, o.gt && o.lt:
		return o, errGTLTAndNX
	case o.incr && words > 2:
		return o, errIncrPairs
	}
	return o, nil
}

// take reads argument i as an option and reports whether it is one.
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

// zaddResult is what a ZADD did.
type zaddResult struct {
	added, updated int64
	score          float64 // of the last member that the options let pass
	processed      bool    // there is one
}

// zadd returns the handler of ZADD, or of ZINCRBY.
func zadd(incr bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		o, err := parseZadd(c, incr)
		if err != nil {
			return c.Fail(err)
		}
		var few [4]float64 // enough for most calls
		scores, err := parseScores(c, o.first, few[:0])
		if err != nil {
			return c.Fail(err)
		}
		return o.run(c, scores)
	}
}

// run gives the members the scores.
func (o *zaddOptions) run(c *command.Call, scores []float64) resp.Value {
	r, err := o.addAll(c, scores)
	if err != nil {
		return c.Fail(err)
	}
	if changes := int(r.added + r.updated); changes > 0 {
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventZSet, Event: either(o.incr, "zincr", "zadd"), Count: changes})
	}
	return o.reply(r)
}

// addAll gives the members their scores, in the order of the words.
func (o *zaddOptions) addAll(c *command.Call, scores []float64) (r zaddResult, err error) {
	z, err := o.target(c)
	if err != nil || z == nil {
		return r, err
	}
	for i, score := range scores {
		if err := o.add(z, c.Arg(o.first+o.stride*(i+1)-1), score, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// target is the sorted set to add to, nil if there is none and XX forbids to make one.
func (o *zaddOptions) target(c *command.Call) (*store.ZSet, error) {
	if o.xx {
		return writeZSet(c, c.Key(1))
	}
	return store.GetOrCreate(c.Tx, c.Key(1), store.NewZSet)
}

// add gives one member its score, if the options let it pass.
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
	case known && (o.gt && score <= old || o.lt && score >= old):
		return nil
	case !known:
		r.added++
	case score != old:
		r.updated++
	}
	if !known || score != old {
		z.Set(member, score)
	}
	r.processed, r.score = true, score
	return nil
}

func (o *zaddOptions) reply(r zaddResult) resp.Value {
	switch {
	case o.incr && r.processed:
		return resp.Double(r.score)
	case o.incr:
		return resp.Null
	case o.ch:
		return resp.Int(r.added + r.updated)
	}
	return resp.Int(r.added)
}

// parseScores reads every second argument from i on, and appends the scores to dst.
func parseScores(c *command.Call, i int, dst []float64) ([]float64, error) {
	for ; i < c.Len(); i += 2 {
		score, err := parseScore(c.Arg(i))
		if err != nil {
			return nil, err
		}
		dst = append(dst, score)
	}
	return dst, nil
}

// parseScore is num.ParseFinite with Redis' error.
func parseScore(b []byte) (float64, error) {
	if f, ok := num.ParseFinite(b); ok {
		return f, nil
	}
	return 0, command.ErrNotFloat
}
