package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Hashes: fields and values. Writing a field creates the hash, and removing the last one deletes it. A hash is a
// listpack up to the thresholds of the configuration, which Set and Update get, since Redis applies them at each write.
// Setting a field removes its expiry, incrementing it does not (HEXPIRE command page).

var hashCommands = slices.Concat(hashFieldCommands, hashReadCommands, hashNumberCommands, hashScanCommands,
	hashExpireCommands, hashGetExCommands)

// hashFieldCommands read, set and delete single fields.
var hashFieldCommands = []command.Command{
	{Name: "hdel", Usage: "key field [field ...]", Arity: -3, Flags: writeFast, Keys: command.OneKey,
		Access: "RW delete", Since: "2.0.0",
		Summary: "Deletes one or more fields and their values from a hash. Deletes the hash if no fields remain.",
		Run:     hdel},
	{Name: "hexists", Usage: "key field", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO", Since: "2.0.0",
		Summary: "Determines whether a field exists in a hash.", Run: hexists},
	{Name: "hget", Usage: "key field", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.0.0",
		Summary: "Returns the value of a field in a hash.", Run: hget},
	{Name: "hmset", Usage: "key field value [field value ...]", Arity: -4, Flags: writeDenyOOMFast,
		Keys: command.OneKey, Access: "RW update", Since: "2.0.0",
		Summary: "Sets the values of one or more fields. The older form of HSET.", Run: hmset},
	{Name: "hset", Usage: "key field value [field value ...]", Arity: -4, Flags: writeDenyOOMFast,
		Keys: command.OneKey, Access: "RW update", Since: "2.0.0",
		Summary: "Creates or modifies the value of a field in a hash.", Run: hset},
	{Name: "hsetnx", Usage: "key field value", Arity: 4, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "2.0.0",
		Summary: "Sets the value of a field in a hash, only if the field does not exist.", Run: hsetnx},
	{Name: "hstrlen", Usage: "key field", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO", Since: "3.2.0",
		Summary: "Returns the length of the value of a field.", Run: hstrlen},
}

// makeHash returns the hash for writing, created if it is missing.
func makeHash(c *command.Call, key []byte) (*store.Hash, error) {
	return store.GetOrCreate(c.Tx, key, store.NewHash)
}

// readHash returns the hash of a key for reading, nil if the key is missing. The lookup counts as hit or miss.
func readHash(c *command.Call, key []byte) (*store.Hash, error) {
	return store.Get[*store.Hash](c.Tx, key, store.ForRead)
}

// writeHash returns the hash of a key for writing, nil if the key is missing.
func writeHash(c *command.Call, key []byte) (*store.Hash, error) {
	return store.Get[*store.Hash](c.Tx, key, store.ForWrite)
}

// hset implements HSET key field value [field value ...]. It replies the number of new fields: 0 if it only replaced
// values. One event "hset" stands for all fields, even if no value is a new one.
func hset(c *command.Call) resp.Value {
	created, err := setFields(c)
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(created)
}

// hmset implements HMSET key field value [field value ...]. It replies OK, which is its only difference from HSET: the
// event is "hset", too.
func hmset(c *command.Call) resp.Value {
	if _, err := setFields(c); err != nil {
		return c.Fail(err)
	}
	return resp.OK
}

// setFields sets the fields and values after the key and returns how many fields are new. Each pair counts as a change.
// An odd argument is an arity error that only the handler can find.
func setFields(c *command.Call) (created int64, err error) {
	if c.Len()%2 != 0 {
		return 0, command.ErrArity(c.Cmd)
	}
	key := c.Key(1)
	h, err := makeHash(c, key)
	if err != nil {
		return 0, err
	}
	replaceHidden(c, h, c.Rest(2))
	thresholds := c.Env().Store.Thresholds()
	if c.Does(emulate.SizesByArguments) {
		h.Expect(thresholds, c.Len()/2-1)
	}
	for i := 2; i < c.Len(); i += 2 {
		if h.Set(thresholds, c.Arg(i), c.Arg(i+1)) {
			created++
		}
	}
	c.Tx.Report(key, store.Change{Class: store.EventHash, Event: "hset", Count: (c.Len() - 2) / 2})
	return created, nil
}

// hsetnx implements HSETNX key field value: 1 if it has set the field, 0 if the field exists. It looks first and
// creates the hash only if it is going to set the field. The event is "hset".
func hsetnx(c *command.Call) resp.Value {
	key, field := c.Key(1), c.Arg(2)
	h, err := store.Get[*store.Hash](c.Tx, key, store.NoStats)
	if err != nil {
		return c.Fail(err)
	}
	if !hashField(h, field).IsNull() {
		return resp.Zero
	}
	volatile := expiresFields(c, key)
	if h, err = makeHashFor(c, key, field); err != nil {
		return c.Fail(err)
	}
	h.Set(c.Env().Store.Thresholds(), field, c.Arg(3))
	c.Changed(key, store.EventHash, "hset")
	if volatile {
		c.PropagateAs("HSET", key, field, c.Arg(3))
	}
	return resp.One
}

// hget implements HGET key field: null for a missing field or key.
func hget(c *command.Call) resp.Value {
	h, err := readNamed(c, c.Rest(2))
	if err != nil {
		return c.Fail(err)
	}
	return hashField(h, c.Arg(2))
}

// hashField returns the value of a field, null for a missing field or a nil hash.
func hashField(h *store.Hash, field []byte) resp.Value {
	if h != nil {
		if value, ok := h.Get(field); ok {
			return resp.Bulk(value)
		}
	}
	return resp.Null
}

// hexists implements HEXISTS key field: 1 or 0. An empty value exists, too.
func hexists(c *command.Call) resp.Value {
	h, err := readNamed(c, c.Rest(2))
	if err != nil {
		return c.Fail(err)
	}
	return resp.Flag(!hashField(h, c.Arg(2)).IsNull())
}

// hdel implements HDEL key field [field ...], and replies how many fields it deleted. It counts each field as a change
// but sends one event, "hdel", and "del" after it if the hash is gone.
func hdel(c *command.Call) resp.Value {
	h, err := writeHash(c, c.Key(1))
	if err != nil || h == nil {
		return c.FailOr(err, resp.Zero)
	}
	deleted := int64(0)
	for _, field := range c.Rest(2) {
		if (!h.Hides() || present(c, h, field)) && h.Delete(field) {
			deleted++
		}
	}
	if deleted > 0 {
		reportFieldsGone(c, h, "hdel", int(deleted))
	}
	return resp.Int(deleted)
}

// reportFieldsGone reports that the hash of argument 1 has lost fields, which are so many changes, and deletes it if it
// is empty.
func reportFieldsGone(c *command.Call, h *store.Hash, event string, count int) {
	c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: event, Count: count})
	c.DropEmpty(c.Key(1), h.Len())
}

// hstrlen implements HSTRLEN key field: the length in bytes, 0 for a missing field as for an empty value.
func hstrlen(c *command.Call) resp.Value {
	h, err := readNamed(c, c.Rest(2))
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(len(hashField(h, c.Arg(2)).Text())))
}
