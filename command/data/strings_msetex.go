package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// MSETEX is MSET with the conditions and the expiry of SET (MSETEX command page). They stand behind the keys and
// values, which a number precedes.

var msetexCommands = []command.Command{
	{Name: "msetex",
		Usage: "numkeys key value [key value ...] [NX | XX] [EX seconds | PX milliseconds | EXAT unix-time-seconds | " +
			"PXAT unix-time-milliseconds | KEEPTTL]",
		Arity: -4, Flags: writeDenyOOM | command.MovableKeys, Keys: command.Keys{Count: 1, Step: 2},
		Access: "OW update", Since: "8.4.0 valkey-9.1.0",
		Tips:    "request_policy:multi_shard response_policy:all_succeeded",
		Summary: "Sets several keys to string values with one expiry, and perhaps only if all of them exist or none does.",
		Run:     msetex},
}

// The errors of the number of keys. Redis and Valkey have their own, and what is a syntax error in Valkey is
// errPairCount in Redis.
var (
	errMSetExNumKeys = errors.New("ERR invalid numkeys value")
	errNumKeysRange  = errors.New("ERR invalid numkeys value or out of range")
	errPairCount     = errors.New("ERR wrong number of key-value pairs")
)

// numberedPairs returns the keys and values of MSETEX.
func numberedPairs(c *command.Call) ([][]byte, error) {
	tooMany, notInRange := errPairCount, errMSetExNumKeys
	if c.Does(emulate.MSetExNumKeysInRange) {
		tooMany, notInRange = command.ErrSyntax, errNumKeysRange
	}
	n, err := c.IntBetween(1, 1, math.MaxInt32, notInRange)
	switch {
	case err != nil:
		return nil, notInRange
	case n > int64(c.Len()-2)/2:
		return nil, tooMany
	}
	return c.Args[2 : 2+2*n], nil
}

// msetex implements MSETEX numkeys key value [key value ...] [NX | XX] [EX s | PX ms | EXAT time | PXAT time |
// KEEPTTL]. It sets all keys and replies 1, or none and replies 0. Each key has the events of SET.
func msetex(c *command.Call) resp.Value {
	pairs, err := numberedPairs(c)
	if err != nil {
		return c.Fail(err)
	}
	o, err := parseSetOptions(c, 2+len(pairs), c.Len(), optionsOfMSetEx)
	if err != nil {
		return c.Fail(err)
	}
	when, err := o.expiry(c)
	if err != nil {
		return c.Fail(err)
	}
	for i := 0; i < len(pairs) && (o.nx || o.xx); i += 2 {
		if c.Tx.Lookup(pairs[i], store.NoStats).Exists() != o.xx {
			return resp.Zero
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		setString(c, pairs[i], pairs[i+1], o.keepTTL)
		if when != 0 {
			setExpiry(c, pairs[i], when)
		}
	}
	if when != 0 && c.Propagates() {
		propagateExpiryOption(c, o.at, when)
	}
	return resp.One
}
