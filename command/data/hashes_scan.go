package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Random fields, and iteration. Positive counts return different fields, negative ones allow repetitions (command page;
// picks.go). Without a count the reply is one field, or null for a missing key; with a count an array.

var hashScanCommands = []command.Command{
	{Name: "hrandfield", Usage: "key [count [WITHVALUES]]", Arity: -2, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "6.2.0", Tips: "nondeterministic_output",
		Summary: "Returns one or more random fields from a hash.", Run: hrandfield},
	{Name: "hscan", Usage: "key cursor [MATCH pattern] [COUNT count] [NOVALUES]{7.4 valkey-8.0}",
		Arity: -3, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access", Since: "2.8.0",
		Tips:    "nondeterministic_output",
		Summary: "Iterates over the fields and values of a hash.", Run: hscan},
}

// hscan implements HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]. It replies fields and values in turn, in
// one flat array also in RESP3, or with NOVALUES the fields alone. MATCH looks at the fields only.
func hscan(c *command.Call) resp.Value {
	return scanValue(c, func(h *store.Hash, o *scanOptions, add func(...resp.Value)) uint64 {
		return h.Scan(o.cursor, o.count, func(field, value []byte) {
			switch {
			case !o.matches(field):
			case o.keysOnly:
				add(resp.Bulk(field))
			default:
				add(resp.Bulk(field), resp.Bulk(value))
			}
		})
	})
}

// hrandfield implements HRANDFIELD key [count [WITHVALUES]]. It parses its options before it looks the key up.
// WITHVALUES replies pairs in RESP3, and a flat array in RESP2.
func hrandfield(c *command.Call) resp.Value {
	if c.Len() == 2 {
		return randomField(c)
	}
	count, withValues, err := parsePicks(c, "withvalues")
	if err != nil {
		return c.Fail(err)
	}
	h, err := hashToPick(c)
	switch {
	case err != nil:
		return c.Fail(err)
	case h == nil:
		return resp.Array()
	case tooManyPicks(count, pickWidth(withValues)):
		return c.Fail(errValueRange)
	}
	elems := pickElements(count, withValues, h.Sample, h.Pick, resp.Bulk)
	if withValues {
		return resp.Pairs(elems...)
	}
	return resp.Array(elems...)
}

// randomField replies to a call without a count: one field, or null for a missing key.
func randomField(c *command.Call) resp.Value {
	h, err := hashToPick(c)
	if err != nil || h == nil {
		return c.FailOr(err, resp.Null)
	}
	field, _, ok := h.Random()
	if !ok {
		return resp.Null
	}
	return resp.Bulk(field)
}
