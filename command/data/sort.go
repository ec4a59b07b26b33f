package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// SORT and SORT_RO (SORT command page) load the elements, look up what BY compares, sort, and reply or store what GET
// looks up. The keys of BY and GET derive from the elements, so no caller can declare them: a lookup outside the
// locked shards makes the transaction restart with all shards locked (MayRestart), and the handler then returns
// early. SORT with STORE replaces the destination by a list.

// sorting are the flags that both rows share.
const sorting = command.MovableKeys | command.MayRestart | command.Dangerous

var sortCommands = []command.Command{
	{Name: "sort",
		Usage: "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA] " +
			"[STORE destination]",
		Arity: -2, Flags: writeDenyOOM | sorting,
		Keys:       command.Keys{First: 1, Last: 1, Step: 1, Find: sortDestination},
		Specs:      []command.KeySpec{sortedKey, sortPatterns, sortStore},
		Categories: "set sortedset list", Since: "1.0.0",
		Summary: "Sorts the elements of a list, a set or a sorted set, and may store the result.", Run: sortElements},
	{Name: "sort_ro",
		Usage: "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA]",
		Arity: -2, Flags: command.ReadOnly | sorting,
		Keys:  command.Keys{First: 1, Last: 1, Step: 1, Find: func([][]byte, func(int)) {}},
		Specs: []command.KeySpec{sortedKey, sortPatterns}, Categories: "set sortedset list", Since: "7.0.0",
		Summary: "Returns the sorted elements of a list, a set or a sorted set.", Run: sortElements},
}

// sortDestination yields the position of the destination: the key after the last STORE.
func sortDestination(args [][]byte, yield func(pos int)) {
	found := 0
	for i := 2; i < len(args); i++ {
		switch arg := args[i]; {
		case command.EqualFold(arg, "store") && i+1 < len(args):
			found = i + 1
		case command.EqualFold(arg, "limit"):
			i += 2
		case command.EqualFold(arg, "get"), command.EqualFold(arg, "by"):
			i++
		}
	}
	if found > 0 {
		yield(found)
	}
}

// sortElements implements SORT and SORT_RO key with all options; STORE makes the difference. A missing key sorts as an
// empty list: the reply is an empty array, and STORE deletes its destination. The reply of a restarting call is
// dropped.
func sortElements(c *command.Call) resp.Value {
	o, err := parseSort(c)
	if err != nil {
		return c.Fail(err)
	}
	items, err := o.load(c)
	if err == nil && !o.unsorted {
		err = o.loadScores(c, items)
	}
	if err != nil {
		return c.Fail(err)
	}
	if c.Tx.Restarting() {
		return resp.None
	}
	if !o.unsorted {
		o.sort(items)
	}
	if o.destination != nil {
		return o.storeSorted(c, items)
	}
	var elems []resp.Value
	o.output(c, items, func(elem []byte, found bool) {
		if found {
			elems = append(elems, resp.Bulk(elem))
		} else {
			elems = append(elems, resp.Null)
		}
	})
	return resp.Array(elems...)
}

// storeSorted stores the result as a list; a GET that finds nothing becomes an empty element. Each element counts as
// a change.
func (o *sortOptions) storeSorted(c *command.Call, items []sortItem) resp.Value {
	l := store.NewList()
	o.output(c, items, func(elem []byte, _ bool) { l.Push(elem, store.Back) })
	if c.Tx.Restarting() {
		return resp.None
	}
	c.Tx.CountChanges(max(l.Len()-1, 0))
	return storeResult(c, o.destination, l, l.Len(), store.EventList, "sortstore")
}

// output calls add for each element in the range of LIMIT: with what each GET looks up, or with the element itself
// without GET.
func (o *sortOptions) output(c *command.Call, items []sortItem, add func(elem []byte, found bool)) {
	for i := o.limits.Start; i < o.limits.Stop && !c.Tx.Restarting(); i++ {
		if len(o.gets) == 0 {
			add(items[i].elem, true)
		}
		for j := range o.gets {
			add(o.gets[j].lookup(c, items[i].elem))
		}
	}
}

// The key specifications of SORT. Those of BY, GET and STORE have no position.
var (
	sortedKey    = command.KeySpec{Index: 1, Access: "RO access"}
	sortPatterns = command.KeySpec{Access: "RO access", Note: "For the optional BY/GET keyword. " +
		"It is marked 'unknown' because the key names derive from the content of the key we sort"}
	sortStore = command.KeySpec{Access: "OW update", Note: "For the optional STORE keyword. " +
		"It is marked 'unknown' because the keyword can appear anywhere in the argument array"}
)
