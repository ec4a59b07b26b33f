package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// What the commands of all types have in common: the first key that exists, and a result stored under a key.

// storeValue is the type of a value in the store: a pointer, whose nil stands for a missing key.
type storeValue interface {
	store.Value
	comparable
}

// firstExisting returns the first key that exists, with its value for writing, or nil if no key exists. It stops at a
// key of another type with ErrWrongType. None of the lookups counts as hit or miss.
func firstExisting[T storeValue](c *command.Call, keys [][]byte) (key []byte, v T, err error) {
	for _, key := range keys {
		if !c.Tx.Lookup(key, store.NoStats).Exists() {
			continue
		}
		v, err := store.Get[T](c.Tx, key, store.ForWrite)
		return key, v, err
	}
	return nil, v, nil
}

// storeResult replaces whatever the key holds by the result of a command, removes its expiry, and replies its length.
// An empty result deletes the key, with the event "del": Redis has no empty collections. Clients that block on the key
// are served when the transaction ends.
func storeResult(
	c *command.Call, key []byte, v store.Value, length int, class store.EventClass, event string,
) resp.Value {
	if length > 0 {
		c.Tx.Put(key, v, false)
		c.Changed(key, class, event)
	} else if c.Tx.Delete(key) {
		c.Changed(key, store.EventGeneric, "del")
	}
	return resp.Int(int64(length))
}

// pairs replies elements that belong together by twos, such as members and scores, as an array of arrays, in RESP2
// too.
func pairs(elems []resp.Value) resp.Value {
	grouped := make([]resp.Value, 0, len(elems)/2)
	for i := 0; i < len(elems); i += 2 {
		grouped = append(grouped, resp.Array(elems[i:i+2]...))
	}
	return resp.Array(grouped...)
}
