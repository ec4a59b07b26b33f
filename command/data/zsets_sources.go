package data

import (
	"errors"
	"math"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// The operations on sorted sets (zsets_operations.go) read sorted sets and plain sets, whose members have the score 1
// (ZUNIONSTORE command page). The sources are read while the arguments are parsed, before the options: WRONGTYPE comes
// before a syntax error. Sums that are NaN (inf + -inf) become 0.

var errWeight = errors.New("ERR weight value is not a float")

// errNoInputKeys is the error for a numkeys below 1; it names the command.
func errNoInputKeys(cmd *command.Command) error {
	return words.Errorf("ERR at least 1 input key is needed for '%s' command", cmd.FullName())
}

// zsetSource is an input: one of zset and set is not nil.
type zsetSource struct {
	zset   *store.ZSet
	set    *store.Set
	weight float64
}

// readSource returns the input under a key, an empty set if the key is missing.
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

// len returns the number of members.
func (src *zsetSource) len() int {
	if src.zset != nil {
		return src.zset.Len()
	}
	return src.set.Len()
}

// score returns the score of a member before it is multiplied by the weight, 1 for each member of a plain set.
func (src *zsetSource) score(member []byte) (score float64, ok bool) {
	if src.zset != nil {
		return src.zset.Score(member)
	}
	return 1, src.set.Has(member)
}

// each visits the members until f returns false.
func (src *zsetSource) each(f func(member []byte, score float64) bool) {
	if src.zset != nil {
		src.zset.Walk(src.zset.All(), f)
		return
	}
	src.set.Each(func(member []byte) bool { return f(member, 1) })
}

// weighted returns score times weight, or 0 for NaN.
func (src *zsetSource) weighted(score float64) float64 { return numberOr0(src.weight * score) }

// numberOr0 replaces NaN by 0.
func numberOr0(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return f
}

// aggregates are the functions of AGGREGATE. NaN becomes 0 in a sum, and loses against any number in min and max.
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

// sumScores is AGGREGATE SUM, which is also the default.
func sumScores(a, b float64) float64 { return numberOr0(a + b) }

// zsetQuery is a parsed call of one of them.
type zsetQuery struct {
	sources    []zsetSource
	aggregate  func(a, b float64) float64
	withScores bool
	limit      int // LIMIT; 0 means all
}

// zsetOptions are the options that a command allows: weights stands for WEIGHTS and AGGREGATE, which a difference
// lacks; scores for WITHSCORES, which the STORE forms lack; limit for LIMIT, which only ZINTERCARD has.
type zsetOptions struct{ weights, scores, limit bool }

// parse parses a call; at is the index of numkeys. Sources of a wrong type are found before the options are parsed, but
// after numkeys was compared with the number of arguments.
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
		return 1 + len(q.sources), q.parseWeights(c, i+1)
	case o.weights && left > 1 && c.Is(i, "aggregate"):
		return 2, q.aggregateBy(c, i+1)
	case o.scores && c.Is(i, "withscores"):
		q.withScores = true
		return 1, nil
	case o.limit && left > 1 && c.Is(i, "limit"):
		// LIMIT 0 means no limit.
		q.limit, err = c.AtLeast(i+1, 0, errLimitTooLow)
		return 2, err
	}
	return 0, command.ErrSyntax
}

// parseWeights reads the weights from argument i on, one for each source.
func (q *zsetQuery) parseWeights(c *command.Call, i int) error {
	for j := range q.sources {
		weight, err := parseScore(c, c.Arg(i+j))
		if err != nil {
			return errWeight
		}
		q.sources[j].weight = weight
	}
	return nil
}

// aggregateBy reads argument i as the name of an aggregate: SUM, MIN or MAX.
func (q *zsetQuery) aggregateBy(c *command.Call, i int) error {
	for name, f := range aggregates {
		if c.Is(i, name) {
			q.aggregate = f
			return nil
		}
	}
	return command.ErrSyntax
}

// bySize sorts the sources by size, the smallest first, as Redis does before it adds scores up: sums of floating point
// numbers depend on their order. Sources of one size keep the order of the arguments.
func (q *zsetQuery) bySize() {
	slices.SortStableFunc(q.sources, func(a, b zsetSource) int { return a.len() - b.len() })
}
