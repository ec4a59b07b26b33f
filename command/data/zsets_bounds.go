package data

import (
	"bytes"
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var (
	errScoreBound = errors.New("ERR min or max is not a float")
	errLexBound   = errors.New("ERR min or max not valid string range item")
)

// zsetOrder is what the ends of a range of a sorted set are.
type zsetOrder int

const (
	byRank zsetOrder = iota
	byScore
	byLex
)

// zsetBounds are the ends of a range, of the kind that the order tells.
type zsetBounds struct {
	order       zsetOrder
	start, stop int
	scores      store.ScoreRange
	members     store.LexRange
}

// parseBounds reads the ends from the words at lower and upper.
func parseBounds(c *command.Call, order zsetOrder, lower, upper int) (b zsetBounds, err error) {
	b.order = order
	switch order {
	case byRank:
		b.start, b.stop, err = c.Span(lower)
	case byScore:
		b.scores, err = parseScoreRange(c.Arg(lower), c.Arg(upper))
	case byLex:
		b.members, err = parseLexRange(c.Arg(lower), c.Arg(upper))
	}
	return b, err
}

// span is the range within a sorted set. Ranks are counted from the highest score if reverse is set.
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

func parseScoreRange(lower, upper []byte) (r store.ScoreRange, err error) {
	if r.Min, r.MinOpen, err = parseScoreBound(lower); err != nil {
		return r, err
	}
	r.Max, r.MaxOpen, err = parseScoreBound(upper)
	return r, err
}

// parseScoreBound reads a score with a parenthesis before it if it does not belong to the range. Other than elsewhere
// blanks before the number are ignored, the empty word is 0, the word ends at a NUL, and what is out of range is
// infinite (zslParseRange).
func parseScoreBound(b []byte) (score float64, open bool, err error) {
	b = words.UntilNUL(b)
	if open = len(b) > 0 && b[0] == '('; open {
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, open, nil
	}
	if score, err = command.ParseFloat(bytes.TrimLeft(b, " \t\n\v\f\r")); err != nil {
		return 0, open, errScoreBound
	}
	return score, open, nil
}

func parseLexRange(lower, upper []byte) (r store.LexRange, err error) {
	if r.Min, err = parseLexBound(lower); err != nil {
		return r, err
	}
	r.Max, err = parseLexBound(upper)
	return r, err
}

// parseLexBound reads "-", "+", or a member behind "[" or, if it does not belong to the range, "(".
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
