package data

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// KEYS and SCAN visit the keys of the selected database. SCAN keeps the guarantee of its command page: a key that
// exists from the first call to the last is returned at least once. The cursor provides that without state per client
// (package store).

var iterationCommands = []command.Command{
	{Name: "keys", Usage: "pattern", Arity: 2, Flags: command.ReadOnly | command.Dangerous, Keys: command.Whole,
		Since: "1.0.0", Tips: "request_policy:all_shards nondeterministic_output_order",
		Summary: "Returns all keys that match a pattern.", Run: keys},
	{Name: "randomkey", Arity: 1, Flags: command.ReadOnly, Keys: command.Whole,
		Since: "1.0.0", Tips: "request_policy:all_shards nondeterministic_output",
		Changes: specialReply("request_policy:all_shards"),
		Summary: "Returns a random key of the selected database.", Run: randomkey},
	{Name: "scan", Usage: "cursor [MATCH pattern] [COUNT count] [TYPE type]", Arity: -2, Flags: command.ReadOnly,
		Keys: command.Whole, Since: "2.8.0", Tips: "nondeterministic_output request_policy:special",
		Changes: specialReply("request_policy:special"),
		Summary: "Iterates over the keys of the selected database.", Run: scan},
}

// keys implements KEYS pattern. The reply is in no order; the whole store is locked while it is collected. "*" matches
// without a comparison.
func keys(c *command.Call) resp.Value {
	pattern := string(c.Arg(1))
	var found []resp.Value
	c.Tx.Each(func(key []byte, _ store.Entry) bool {
		if k := resp.Bulk(key); pattern == "*" || glob.Match(pattern, k.Text()) {
			found = append(found, k)
		}
		return true
	})
	return resp.Array(found...)
}

// scan implements SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]. It checks MATCH and TYPE after COUNT keys were
// chosen, so a page may be empty though the iteration goes on. A type that does not exist is no error: it matches no
// key.
func scan(c *command.Call) resp.Value {
	cursor, err := parseCursor(c, c.Arg(1))
	if err != nil {
		return c.Fail(err)
	}
	o, err := parseScan(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	var found []resp.Value
	next := c.Tx.Scan(cursor, o.count, func(key []byte, e store.Entry) {
		if o.matches(key) && (o.anyType || strings.EqualFold(o.typ, string(e.Value().Type()))) {
			found = append(found, resp.Bulk(key))
		}
	})
	return scanReply(next, found)
}

// randomkey implements RANDOMKEY. It replies null if the database is empty.
func randomkey(c *command.Call) resp.Value {
	if key := c.Tx.RandomKey(); key != nil {
		return resp.Bulk(key)
	}
	return resp.Null
}
