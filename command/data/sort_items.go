package data

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/partsort"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Loading and sorting the elements of SORT. Two things follow Redis since clients see them: a set that is not sorted
// but stored, or sorted by a script, is sorted by ALPHA so that the result is reproducible; and SORT with BY and a
// LIMIT sorts by Redis' partial quicksort, which decides the order of equal items. Other sorts are stable.

// errSortNumber is for an element, or a value of BY, that is not a number. ALPHA sorts such elements.
var errSortNumber = errors.New("ERR One or more scores can't be converted into double")

// sortItem is an element to sort. Both slices alias values of the store, which SORT does not change before the result
// is stored.
type sortItem struct {
	elem  []byte
	text  []byte // with ALPHA: the text to compare, nil if BY found none
	score float64
	at    int // its position in the value
}

// load reads the elements of the key. If no sorting is needed, it reads only those in the range of LIMIT; of a set it
// reads all, and o.limits selects them later.
func (o *sortOptions) load(c *command.Call) (items []sortItem, err error) {
	length := 0
	add := func(elem []byte) bool {
		if items == nil {
			items = make([]sortItem, 0, o.loadCount(length))
		}
		items = append(items, sortItem{elem: elem, at: len(items)})
		return true
	}
	e := c.Tx.Lookup(c.Key(1), store.ForRead)
	switch v := e.Value().(type) {
	case nil:
	case *store.List:
		length = v.Len()
		o.walk(length, v.Walk, v.WalkBack, add)
	case *store.ZSet:
		c.Tx.Unpack(e, v) // as Redis does
		membersOf := func(walk func(store.Span, func([]byte, float64) bool)) func(store.Span, func([]byte) bool) {
			return func(s store.Span, f func([]byte) bool) { walk(s, func(m []byte, _ float64) bool { return f(m) }) }
		}
		length = v.Len()
		o.walk(length, membersOf(v.Walk), membersOf(v.WalkBack), add)
	case *store.Set:
		if o.unsorted && (o.destination != nil || c.FromScript()) { // makes the result independent of the hash table
			o.unsorted, o.alpha, o.by = false, true, nil
		}
		length = v.Len()
		v.Each(add)
	default:
		return nil, command.ErrWrongType
	}
	if o.limits = o.limit(length); len(items) < length {
		o.limits = store.Span{Stop: len(items)}
	}
	return items, nil
}

// loadCount returns how many of length elements load reads.
func (o *sortOptions) loadCount(length int) int {
	if o.unsorted {
		return o.limit(length).Len()
	}
	return length
}

// walk calls add for the elements of a list or sorted set: for all if they will be sorted, else for the range of
// LIMIT, from the back with DESC.
func (o *sortOptions) walk(length int, forward, backward func(store.Span, func([]byte) bool), add func([]byte) bool) {
	switch s := o.limit(length); {
	case !o.unsorted:
		forward(store.Span{Stop: length}, add)
	case o.desc:
		backward(s.Reversed(length), add)
	default:
		forward(s, add)
	}
}

// loadScores looks up what each item is sorted by. It returns the first error of a number but looks up all items, so
// that a restart sees every key.
func (o *sortOptions) loadScores(c *command.Call, items []sortItem) (err error) {
	for i := range items {
		item := &items[i]
		by, found := item.elem, true
		if o.by != nil {
			by, found = o.by.lookup(c, item.elem)
		}
		switch {
		case c.Tx.Restarting():
			return nil
		case !found:
		case o.alpha:
			item.text = o.collationKey(by)
		case err == nil:
			item.score, err = sortNumber(c, by)
		}
	}
	return err
}

// collationKey returns the part of a text that is compared. strcoll stops at a NUL; with STORE Redis compares whole
// strings.
func (o *sortOptions) collationKey(text []byte) []byte {
	if o.destination == nil {
		text = words.UntilNUL(text)
	}
	if text == nil {
		return []byte{}
	}
	return text
}

// sortNumber parses a number as strtod does. The empty string is 0. A number outside the range of double is an error,
// and so is a subnormal result that is not exact (ERANGE). Later servers read decimal numbers only.
func sortNumber(c *command.Call, b []byte) (float64, error) {
	b = words.UntilNUL(b)
	decimal := c.Does(emulate.DecimalBounds)
	switch {
	case len(b) == 0 && !c.Does(emulate.DecimalScores):
		return 0, nil
	case !decimal:
		b = num.TrimBlanks(b)
	case num.IsHex(b):
		return 0, errSortNumber
	}
	if decimal && !c.Does(emulate.DecimalScores) {
		if f, ok := num.ParseFloat(b); ok {
			return f, nil
		}
		return 0, errSortNumber
	}
	f, ok := num.ParseFinite(b)
	if !ok || !decimal && num.Underflows(b, f) {
		return 0, errSortNumber
	}
	return f, nil
}

// compare orders two items. Equal numbers are ordered by element; equal texts are not ordered further.
func (o *sortOptions) compare(a, b *sortItem) int {
	order := 0
	switch {
	case !o.alpha:
		if order = cmp.Compare(a.score, b.score); order == 0 {
			order = bytes.Compare(a.elem, b.elem)
		}
	// Elements for which BY found nothing come first.
	case a.text == nil || b.text == nil:
		order = cmp.Compare(presence(a.text), presence(b.text))
	default:
		order = bytes.Compare(a.text, b.text)
	}
	if o.desc {
		return -order
	}
	return order
}

// presence orders a missing text before any other.
func presence(text []byte) int {
	if text == nil {
		return 0
	}
	return 1
}

// sort sorts the items in the range of LIMIT.
func (o *sortOptions) sort(items []sortItem) {
	// Redis sorts a part only with BY and LIMIT; then equal items show its algorithm.
	if o.by != nil && o.limits.Len() < len(items) {
		partsort.Sort(items, o.limits.Start, o.limits.Stop, o.compare)
		return
	}
	slices.SortFunc(items, func(a, b sortItem) int {
		if order := o.compare(&a, &b); order != 0 {
			return order
		}
		return cmp.Compare(a.at, b.at)
	})
}
