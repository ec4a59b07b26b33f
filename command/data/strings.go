package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Strings: the commands that read them. A missing key reads as null (GET) or as the empty string (STRLEN); a key of
// another type is WRONGTYPE, except for MGET.

var stringCommands = slices.Concat(readingStringCommands, settingStringCommands, comparingCommands,
	msetexCommands, numberCommands, rangeCommands, lcsCommands)

// readingStringCommands read whole strings; GETDEL and GETEX also change the key.
var readingStringCommands = []command.Command{
	{Name: "get", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "1.0.0",
		Summary: "Returns the string value of a key.", Run: get},
	{Name: "getdel", Usage: "key", Arity: 2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW access delete", Since: "6.2.0",
		Summary: "Returns the string value of a key after deleting it.", Run: getdel},
	{Name: "getex",
		Usage: "key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST]",
		Arity: -2, Flags: writeFast, Keys: command.OneKey, Since: "6.2.0",
		Specs: []command.KeySpec{{Index: 1, Access: "RW access update",
			Note: "RW and UPDATE because it changes the TTL"}},
		Summary: "Returns the string value of a key after setting or removing its expiry.", Run: getex},
	{Name: "mget", Usage: "key [key ...]", Arity: -2, Flags: readOnlyFast, Keys: command.AllKeys, Access: "RO access",
		Since: "1.0.0", Tips: "request_policy:multi_shard",
		Summary: "Returns the string values of several keys.", Run: mget},
	{Name: "strlen", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "2.2.0",
		Summary: "Returns the length of a string value.", Run: strlen},
}

// readString returns the string of a key for reading, nil if the key is missing. The lookup counts as hit or miss.
func readString(c *command.Call, key []byte) (*store.String, error) {
	return store.Get[*store.String](c.Tx, key, store.ForRead)
}

// writeString returns the string of a key for writing, nil if the key is missing.
func writeString(c *command.Call, key []byte) (*store.String, error) {
	return store.Get[*store.String](c.Tx, key, store.ForWrite)
}

// stringReply returns the content of a string, null for a missing key.
func stringReply(s *store.String) resp.Value {
	if s == nil {
		return resp.Null
	}
	return resp.Bulk(s.Bytes())
}

// stringBytes returns the content of a string, nil for a missing key.
func stringBytes(s *store.String) []byte {
	if s == nil {
		return nil
	}
	return s.Bytes()
}

// get implements GET key: null for a missing key.
func get(c *command.Call) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return stringReply(s)
}

// mget implements MGET key [key ...]. It never fails: anything but a string is null.
func mget(c *command.Call) resp.Value {
	elems := c.Elements(c.Len() - 1)
	for _, key := range c.Rest(1) {
		s, _ := readString(c, key) // a key of another type counts as missing (command page)
		elems = append(elems, stringReply(s))
	}
	return resp.Array(elems...)
}

// strlen implements STRLEN key: the length in bytes, 0 for a missing key.
func strlen(c *command.Call) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(len(stringBytes(s))))
}

// getdel implements GETDEL key; there is an event, "del", only if the key existed. It replies the old value without a
// copy: deleting the key does not overwrite it.
func getdel(c *command.Call) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	if deleteKey(c, c.Key(1)) && c.Propagates() {
		c.PropagateAs(either(c.Does(emulate.ReplicatesBatches), "DEL", deletionBy(c, "lazyfree-lazy-user-del")), c.Key(1))
	}
	return stringReply(s)
}

// expiryForGetEx reads the string of GETEX and the number of its option. Which of the two is checked first matters
// for a missing key, and one of another type.
func expiryForGetEx(c *command.Call, o *setOptions) (s *store.String, when int64, err error) {
	if c.Does(emulate.GetExChecksExpiry) {
		if when, err = o.expiry(c); err == nil {
			s, err = readString(c, c.Key(1))
		}
		return s, when, err
	}
	if s, err = readString(c, c.Key(1)); err == nil && s != nil {
		when, err = o.expiry(c)
	}
	return s, when, err
}

// getex implements GETEX key [EX s | PX ms | EXAT time | PXAT time | PERSIST]. A time that has passed
// deletes the key, and the reply is its last value. Without an option it is GET.
func getex(c *command.Call) resp.Value {
	o, err := parseSetOptions(c, 2, c.Len(), optionsOfGetEx)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	s, when, err := expiryForGetEx(c, &o)
	switch {
	case err != nil || s == nil:
		return c.FailOr(err, resp.Null)
	case o.persist:
		if persistKey(c, key) && c.Propagates() {
			c.PropagateAs("PERSIST", key)
		}
	case when != 0:
		if kept := expireKey(c, key, when); c.Propagates() {
			propagateGetEx(c, key, when, kept)
		}
	}
	return stringReply(s)
}

// propagateGetEx sends the new expiry of a key, or that it is gone.
func propagateGetEx(c *command.Call, key []byte, when int64, kept bool) {
	if kept {
		propagateExpireAt(c, key, when)
		return
	}
	c.PropagateAs(deletionBy(c, "lazyfree-lazy-expire"), key)
}
