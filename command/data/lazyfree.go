package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// UNLINK (command page) frees large values in the background. Here the garbage collector frees all values, so UNLINK
// is DEL. INFO still counts what Redis would free in the background (lazyfreed_objects), which is what takes many
// allocations.

// lazyFreeEffort is how many allocations a value must have for Redis to free it in the background
// (LAZYFREE_THRESHOLD).
const lazyFreeEffort = 64

// unlink implements UNLINK key [key ...], and replies how many keys it deleted. The event is "del", as for DEL.
func unlink(c *command.Call) resp.Value {
	return countKeys(c, func(key []byte) bool {
		e := c.Tx.Lookup(key, store.Inspect)
		if e.Exists() && effort(c, e.Value()) > lazyFreeEffort {
			c.Session.Add(&c.Env().Stats.LazyFreed, 1)
		}
		return deleteKey(c, key)
	})
}

// effort estimates how many allocations Redis keeps a value in: 1 for listpacks, else one per element, list node or
// stream node (lazyfreeGetFreeEffort).
func effort(c *command.Call, v store.Value) int {
	const listNode = 8 << 10 // bytes; list-max-listpack-size -2
	packed, _ := v.(interface{ Packed() bool })
	switch v := v.(type) {
	case *store.List:
		return v.Weight() / listNode
	case *store.Stream:
		return v.Len() / max(1, int(c.Env().Config.Thresholds().StreamEntries.Load()))
	case interface{ Len() int }:
		if packed == nil || !packed.Packed() {
			return v.Len()
		}
	}
	return 1
}
