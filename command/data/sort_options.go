package data

import (
	"bytes"
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// The options of SORT, in any order (SORT command page). The last BY counts, and every GET. A BY pattern without *
// names no key and turns sorting off, even if another BY follows. BY and GET read keys that ACL rules were not
// checked for, so they need permission to read all keys, since Redis 7.0.

// The errors of users who may not read all keys. They may still use BY without *, which reads no other key, but no GET,
// not even GET #.
var (
	errSortByDenied  = errors.New("ERR BY option of SORT denied due to insufficient ACL permissions.")
	errSortGetDenied = errors.New("ERR GET option of SORT denied due to insufficient ACL permissions.")
)

// sortOptions are the arguments of SORT after the key.
type sortOptions struct {
	by            *sortPattern // nil: compare the elements themselves
	unsorted      bool         // a BY pattern has no *
	gets          []sortPattern
	destination   []byte // nil without STORE
	offset, count int    // of LIMIT; a negative count means all
	desc, alpha   bool

	limits store.Span // the range of LIMIT within the loaded items
}

// parseSort parses the options. Permission for BY and GET is checked on the way, so it may precede a syntax error.
func parseSort(c *command.Call) (o sortOptions, err error) {
	o.count = -1
	for i := 2; i < c.Len(); {
		used, err := o.parseOption(c, i)
		if err != nil {
			return o, err
		}
		i += used
	}
	return o, nil
}

// parseOption reads the option at argument i and returns how many arguments it used.
func (o *sortOptions) parseOption(c *command.Call, i int) (used int, err error) {
	switch left := c.Len() - i; {
	case c.Is(i, "asc"):
		o.desc = false
	case c.Is(i, "desc"):
		o.desc = true
	case c.Is(i, "alpha"):
		o.alpha = true
	case c.Is(i, "limit") && left > 2:
		o.offset, o.count, err = c.Span(i + 1)
		return 3, err
	// STORE is a syntax error for SORT_RO.
	case c.Is(i, "store") && left > 1 && c.Cmd.Flags.Has(command.Write):
		o.destination = c.Key(i + 1)
		return 2, nil
	case c.Is(i, "by") && left > 1:
		by := parseSortPattern(c.Arg(i + 1))
		if by.hasStar {
			err = errSortInCluster(c, "BY", c.Arg(i+1))
		}
		if err != nil {
			return 0, err
		}
		if by.hasStar && !c.Session.MayReadAnyKey(c.Cmd, c.Args) {
			return 0, errSortByDenied
		}
		o.by, o.unsorted = &by, o.unsorted || !by.hasStar
		return 2, nil
	case c.Is(i, "get") && left > 1:
		if err := errSortInCluster(c, "GET", c.Arg(i+1)); err != nil {
			return 0, err
		}
		if !c.Session.MayReadAnyKey(c.Cmd, c.Args) { // even for GET #
			return 0, errSortGetDenied
		}
		o.gets = append(o.gets, parseSortPattern(c.Arg(i+1)))
		return 2, nil
	default:
		return 0, command.ErrSyntax
	}
	return 1, nil
}

// limit returns the range of LIMIT within length elements. A negative offset is 0, and a negative count means all that
// follow; an offset beyond the end leaves none.
func (o *sortOptions) limit(length int) store.Span {
	start, stop := min(max(o.offset, 0), length), length
	if o.count >= 0 {
		stop = min(start+min(o.count, length), length)
	}
	return store.Span{Start: start, Stop: stop}
}

// sortPattern is the pattern of BY or GET: a key in which the element replaces *, and optionally "->" and a field of
// the hash at that key.
type sortPattern struct {
	element        bool // "#": the element itself
	hasStar        bool // there is a *
	prefix, suffix []byte
	field          []byte // nil: the key holds a string
}

// parseSortPattern looks for * and -> up to the first NUL only: Redis treats the pattern as a C string there.
func parseSortPattern(arg []byte) sortPattern {
	text := words.UntilNUL(arg)
	star := bytes.IndexByte(text, '*')
	// Without * a pattern is the same for all elements: BY does not sort, GET finds nothing, except for "#".
	if star < 0 {
		return sortPattern{element: string(text) == "#"}
	}
	p := sortPattern{hasStar: true, prefix: arg[:star], suffix: arg[star+1:]}
	// "->" at the end of the pattern belongs to the key.
	if arrow := bytes.Index(text[star+1:], []byte("->")); arrow >= 0 && star+1+arrow+2 < len(text) {
		p.suffix, p.field = p.suffix[:arrow], p.suffix[arrow+2:]
	}
	return p
}

// lookup returns the value that the pattern names for an element. If that key is outside the locked shards, nothing
// is found and the transaction restarts.
func (p *sortPattern) lookup(c *command.Call, elem []byte) (value []byte, found bool) {
	switch {
	case p.element:
		return elem, true
	case !p.hasStar:
		return nil, false
	}
	key := bytes.Join([][]byte{p.prefix, elem, p.suffix}, nil)
	if !c.HoldsOrRestarts(key) {
		return nil, false
	}
	switch v := c.Tx.Lookup(key, store.ForRead).Value().(type) {
	case *store.Hash:
		// A string pattern on a hash finds nothing, and neither does a field on a string.
		if p.field == nil {
			return nil, false
		}
		if v = expireNamed(c, key, v, [][]byte{p.field}); v != nil {
			return v.Get(p.field)
		}
	case *store.String:
		if p.field == nil {
			return v.Bytes(), true
		}
	}
	return nil, false
}

// errSortInCluster returns the error for a pattern whose keys may be in other slots of a cluster than the key of SORT.
func errSortInCluster(c *command.Call, option string, pattern []byte) error {
	switch {
	case c.Env().Cluster == nil:
		return nil
	case !c.Does(emulate.SortsBySlot):
		return errors.New("ERR " + option + " option of SORT denied in Cluster mode.")
	case option == "GET" && string(pattern) == "#":
		return nil
	}
	if tag := hashtag.Of(pattern); bytes.IndexByte(tag, '*') >= 0 || hashtag.Slot(pattern) != hashtag.Slot(c.Key(1)) {
		return errors.New("ERR " + option + " option of SORT denied in Cluster mode when keys formed by the pattern may " +
			"be in different slots.")
	}
	return nil
}
