package data

import (
	"errors"
	"math"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var errWeight = errors.New("ERR weight value is not a float")

func errNoInputKeys(cmd *command.Command) error {
	return words.Errorf("ERR at least 1 input key is needed for '%s' command", cmd.FullName())
}

// zsetSource is an input of a union, intersection or difference: a sorted set, or a set, whose members have the
// score 1.
type zsetSource struct {
	zset   *store.ZSet
	set    *store.Set
	weight float64
}

func readSource(c *command.Call, key []byte) (src zsetSource, err error) {
	src.weight = 1
	switch v := c.Tx.Lookup(key, store.ForRead).Value().(type) {
	case nil:
		src.set = store.NewSet()
	case *store.ZSet:
		src.zset = v
	case *store.Set:
		src.set = v
	default:
		err = command.ErrWrongType
	}
	return src, err
}

func (src *zsetSource) len() int {
	if src.zset != nil {
		return src.zset.Len()
	}
	return src.set.Len()
}

func (src *zsetSource) score(member []byte) (score float64, ok bool) {
	if src.zset != nil {
		return src.zset.Score(member)
	}
	return 1, src.set.Has(member)
}

func (src *zsetSource) each(f func(member []byte, score float64) bool) {
	if src.zset != nil {
		src.zset.Walk(src.zset.All(), f)
		return
	}
	src.set.Each(func(member []byte) bool { return f(member, 1) })
}

// weighted is the score times the weight, 0 where that is not a number.
func (src *zsetSource) weighted(score float64) float64 { return numberOr0(src.weight * score) }

func numberOr0(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return f
}

// The ways to make one score of two. What is not a number counts as 0 in a sum, and is passed over by the others.
var aggregates = map[string]func(a, b float64) float64{
	"sum": sumScores,
	"min": func(a, b float64) float64 {
		if b < a {
			return b
		}
		return a
	},
	"max": func(a, b float64) float64 {
		if b > a {
			return b
		}
		return a
	},
}

func sumScores(a, b float64) float64 { return numberOr0(a + b) }

// zsetQuery is a call of ZUNION and its kin.
type zsetQuery struct {
	sources    []zsetSource
	aggregate  func(a, b float64) float64
	withScores bool
	limit      int // of ZINTERCARD; 0 is none
}

// zsetOptions are the options that a command takes.
type zsetOptions struct{ weights, scores, limit bool }

// parse reads a call whose number of keys is the word at position at. The keys are looked up before the options are
// read.
func (o zsetOptions) parse(c *command.Call, at int) (zsetQuery, error) {
	q := zsetQuery{aggregate: sumScores}
	keys, err := c.Index(at)
	switch {
	case err != nil:
		return q, err
	case keys < 1:
		return q, errNoInputKeys(c.Cmd)
	case keys > c.Len()-at-1:
		return q, command.ErrSyntax
	}
	for _, key := range c.Args[at+1 : at+1+keys] {
		src, err := readSource(c, key)
		if err != nil {
			return q, err
		}
		q.sources = append(q.sources, src)
	}
	for i := at + 1 + keys; i < c.Len(); {
		used, err := q.parseOption(c, o, i)
		if err != nil {
			return q, err
		}
		i += used
	}
	return q, nil
}

// parseOption reads the option at argument i and returns how many arguments it used.
func (q *zsetQuery) parseOption(c *command.Call, o zsetOptions, i int) (used int, err error) {
	switch left := c.Len() - i; {
	case o.weights && left > len(q.sources) && c.Is(i, "weights"):
		return 1 + len(q.sources), q.weigh(c, i+1)
	case o.weights && left > 1 && c.Is(i, "aggregate"):
		return 2, q.aggregateBy(c, i+1)
	case o.scores && c.Is(i, "withscores"):
		q.withScores = true
		return 1, nil
	case o.limit && left > 1 && c.Is(i, "limit"):
		q.limit, err = c.AtLeast(i+1, 0, errLimitTooLow)
		return 2, err
	}
	return 0, command.ErrSyntax
}

// weigh reads the weights from argument i on.
func (q *zsetQuery) weigh(c *command.Call, i int) error {
	for j := range q.sources {
		weight, err := parseScore(c.Arg(i + j))
		if err != nil {
			return errWeight
		}
		q.sources[j].weight = weight
	}
	return nil
}

func (q *zsetQuery) aggregateBy(c *command.Call, i int) error {
	for name, f := range aggregates {
		if c.Is(i, name) {
			q.aggregate = f
			return nil
		}
	}
	return command.ErrSyntax
}

// bySize sorts the sources, the smallest first. That is also the order in which Redis adds the scores up.
func (q *zsetQuery) bySize() {
	slices.SortStableFunc(q.sources, func(a, b zsetSource) int { return a.len() - b.len() })
}
