package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Nothing is freed in the background here: what is removed is left to the garbage collector at once. INFO still counts
// what Redis would free that way (lazyfreed_objects): values that are many allocations.

// lazyFreeEffort is how many allocations a value must be for Redis to free it in the background.
const lazyFreeEffort = 64

func unlink(c *command.Call) resp.Value {
	return countKeys(c, func(key []byte) bool {
		e := c.Tx.Lookup(key, store.Inspect)
		if e.Exists() && effort(c, e.Value()) > lazyFreeEffort {
			c.Session.Add(&c.Env().Stats.LazyFreed, 1)
		}
		return deleteKey(c, key)
	})
}

// effort is how many allocations Redis keeps a value in.
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
