package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// storeValue is a type of values in the store, each of which has a nil that stands for a missing key.
type storeValue interface {
	store.Value
	comparable
}

// firstExisting returns the first of the keys that exists, and its value to be changed; nil if there is none. A key of
// another type before it is an error.
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

// keep stores the result of a command under a key, whatever was there, and returns its length. An empty result only
// removes the key.
func storeResult(c *command.Call, key []byte, v store.Value, length int, class store.EventClass, event string) resp.Value {
	if length > 0 {
		c.Tx.Put(key, v, false)
		c.Changed(key, class, event)
	} else if c.Tx.Delete(key) {
		c.Changed(key, store.EventGeneric, "del")
	}
	return resp.Int(int64(length))
}
