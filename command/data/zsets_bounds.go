package data

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Ranges of sorted sets go by rank, by score or by member (ZRANGE command page). "(" before a score or a member
// excludes it, "-inf" and "+inf", or "-" and "+", have no bound. A range by member has a meaning only if all scores
// are equal, which is not checked.

// The errors of bounds. Bounds by rank have the common error of integers.
var (
	errScoreBound = errors.New("ERR min or max is not a float")
	errLexBound   = errors.New("ERR min or max not valid string range item")
)

// zsetOrder is what the bounds of a range are.
type zsetOrder int

const (
	byRank zsetOrder = iota
	byScore
	byLex
)

// zsetBounds are the bounds of a range; order says which fields count.
type zsetBounds struct {
	order       zsetOrder
	start, stop int
	scores      store.ScoreRange
	members     store.LexRange
}

// parseBounds parses the bounds at arguments lower and upper.
func parseBounds(c *command.Call, order zsetOrder, lower, upper int) (b zsetBounds, err error) {
	b.order = order
	switch order {
	case byRank:
		b.start, b.stop, err = c.Span(lower)
	case byScore:
		b.scores, err = parseScoreRange(c, c.Arg(lower), c.Arg(upper))
	case byLex:
		b.members, err = parseLexRange(c.Arg(lower), c.Arg(upper))
	}
	return b, err
}

// span returns the part of z between the bounds. With reverse, ranks count from the highest score.
func (b *zsetBounds) span(z *store.ZSet, reverse bool) store.Span {
	switch b.order {
	case byScore:
		return z.ByScore(b.scores)
	case byLex:
		return z.ByLex(b.members)
	}
	s := store.SpanOf(b.start, b.stop, z.Len())
	if reverse {
		return s.Reversed(z.Len())
	}
	return s
}

// parseScoreRange parses two bounds by score. A range whose minimum is above its maximum is empty, not an error.
func parseScoreRange(c *command.Call, lower, upper []byte) (r store.ScoreRange, err error) {
	if r.Min, r.MinOpen, err = parseScoreBound(c, lower); err != nil {
		return r, err
	}
	r.Max, r.MaxOpen, err = parseScoreBound(c, upper)
	return r, err
}

// parseScoreBound parses a bound by score; open is true after "(". The empty argument is 0, the number ends at a NUL,
// and one out of range is infinite. As long as zslParseRange used strtod, leading blanks were ignored.
func parseScoreBound(c *command.Call, b []byte) (score float64, open bool, err error) {
	b = words.UntilNUL(b)
	if open = len(b) > 0 && b[0] == '('; open {
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, open, nil
	}
	if !c.Does(emulate.DecimalBounds) {
		b = num.TrimBlanks(b)
	} else if num.IsHex(b) {
		return 0, open, errScoreBound
	}
	if score, err = command.ParseFloat(b); err != nil {
		return 0, open, errScoreBound
	}
	return score, open, nil
}

// parseLexRange parses two bounds by member.
func parseLexRange(lower, upper []byte) (r store.LexRange, err error) {
	if r.Min, err = parseLexBound(lower); err != nil {
		return r, err
	}
	r.Max, err = parseLexBound(upper)
	return r, err
}

// parseLexBound parses a bound by member: "-", "+", or a member after "[" or, if it is excluded, after "(". A member
// without either is an error, since it would not be clear whether it is part of the range.
func parseLexBound(b []byte) (store.LexBound, error) {
	switch {
	case len(b) == 0 || strings.IndexByte("-+[(", b[0]) < 0:
	case b[0] == '[' || b[0] == '(':
		return store.LexBound{Member: b[1:], Open: b[0] == '('}, nil
	case len(b) > 1:
	case b[0] == '-':
		return store.LexBound{Beyond: -1}, nil
	default:
		return store.LexBound{Beyond: 1}, nil
	}
	return store.LexBound{}, errLexBound
}
