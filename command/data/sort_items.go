package data

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/partsort"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var errSortNumber = errors.New("ERR One or more scores can't be converted into double")

// sortItem is an element to be sorted.
type sortItem struct {
	elem  []byte
	text  []byte // with ALPHA: what is compared, nil if there is none
	score float64
	at    int // its place in the value
}

// load reads the elements under the key. Where their order is already what is asked for, it reads only those that LIMIT
// leaves.
func (o *sortOptions) load(c *command.Call) (items []sortItem, err error) {
	length := 0
	add := func(elem []byte) bool {
		if items == nil {
			items = make([]sortItem, 0, o.loadCount(length))
		}
		items = append(items, sortItem{elem: elem, at: len(items)})
		return true
	}
	switch v := c.Tx.Lookup(c.Key(1), store.ForRead).Value().(type) {
	case nil:
	case *store.List:
		length = v.Len()
		o.walk(length, v.Walk, v.WalkBack, add)
	case *store.ZSet:
		membersOf := func(walk func(store.Span, func([]byte, float64) bool)) func(store.Span, func([]byte) bool) {
			return func(s store.Span, f func([]byte) bool) { walk(s, func(m []byte, _ float64) bool { return f(m) }) }
		}
		length = v.Len()
		o.walk(length, membersOf(v.Walk), membersOf(v.WalkBack), add)
	case *store.Set:
		if o.unsorted && (o.destination != nil || c.Scripted()) { // so that the result does not depend on the table
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

// loaded is how many of a number of elements are read: all, unless they are in order already.
func (o *sortOptions) loadCount(length int) int {
	if o.unsorted {
		return o.limit(length).Len()
	}
	return length
}

// walk calls add for the elements of a value that has an order: for all in this order if they are yet to be sorted.
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

// rate finds what each item is sorted by.
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
			item.score, err = sortNumber(by)
		}
	}
	return err
}

// collated is the part of a text that is compared: the C library looks no further than to a NUL, and STORE does
// without it.
func (o *sortOptions) collationKey(text []byte) []byte {
	if o.destination == nil {
		text = words.UntilNUL(text)
	}
	if text == nil {
		return []byte{}
	}
	return text
}

// sortNumber reads a number as strtod does that is followed by the end of a C string. Nothing at all counts as 0; what
// a double can't hold is refused, and what is too small to be a normal one unless a subnormal one is exactly it.
func sortNumber(b []byte) (float64, error) {
	b = words.UntilNUL(b)
	if len(b) == 0 {
		return 0, nil
	}
	b = bytes.TrimLeft(b, " \t\n\v\f\r")
	f, ok := num.ParseFinite(b)
	if !ok || num.Underflows(b, f) {
		return 0, errSortNumber
	}
	return f, nil
}

// compare tells the order of two items. Numbers that are equal leave it to the elements; equal texts leave it open.
func (o *sortOptions) compare(a, b *sortItem) int {
	order := 0
	switch {
	case !o.alpha:
		if order = cmp.Compare(a.score, b.score); order == 0 {
			order = bytes.Compare(a.elem, b.elem)
		}
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

func presence(text []byte) int {
	if text == nil {
		return 0
	}
	return 1
}

// arrange sorts the items. What is left open stays in place, but for a part of what is sorted by other keys: there it
// shows how Redis sorts.
func (o *sortOptions) sort(items []sortItem) {
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
