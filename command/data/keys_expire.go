package data

import (
	"bytes"
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// EXPIRE, PEXPIRE, EXPIREAT and PEXPIREAT differ in the unit of their number; all store a Unix time in ms (EXPIRE
// command page). An expiry that has passed removes the key at once. TTL and its variants convert back.

var expireCommands = []command.Command{
	{Name: "expire", Usage: "key seconds [NX | XX | GT | LT]", Arity: -3, Flags: writeFast, Keys: command.OneKey,
		Access: "RW update", Since: "1.0.0",
		Summary: "Sets the time to live of a key in seconds.", Run: expire(seconds)},
	{Name: "expireat", Usage: "key unix-time-seconds [NX | XX | GT | LT]", Arity: -3, Flags: writeFast,
		Keys: command.OneKey, Access: "RW update", Since: "1.2.0",
		Summary: "Sets the expiry of a key to a Unix time in seconds.", Run: expire(unixSeconds)},
	{Name: "expiretime", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "7.0.0",
		Summary: "Returns the expiry of a key as a Unix time in seconds.", Run: ttl(unixSeconds)},
	{Name: "persist", Usage: "key", Arity: 2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW update", Since: "2.2.0",
		Summary: "Removes the expiry of a key.", Run: persist},
	{Name: "pexpire", Usage: "key milliseconds [NX | XX | GT | LT]", Arity: -3, Flags: writeFast,
		Keys: command.OneKey, Access: "RW update", Since: "2.6.0",
		Summary: "Sets the time to live of a key in milliseconds.", Run: expire(milliseconds)},
	{Name: "pexpireat", Usage: "key unix-time-milliseconds [NX | XX | GT | LT]", Arity: -3, Flags: writeFast,
		Keys: command.OneKey, Access: "RW update", Since: "2.6.0",
		Summary: "Sets the expiry of a key to a Unix time in milliseconds.", Run: expire(unixMilliseconds)},
	{Name: "pexpiretime", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "7.0.0",
		Summary: "Returns the expiry of a key as a Unix time in milliseconds.", Run: ttl(unixMilliseconds)},
	{Name: "pttl", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO access",
		Since: "2.6.0", Tips: "nondeterministic_output",
		Summary: "Returns the time to live of a key in milliseconds.", Run: ttl(milliseconds)},
	{Name: "ttl", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO access",
		Since: "1.0.0", Tips: "nondeterministic_output",
		Summary: "Returns the time to live of a key in seconds.", Run: ttl(seconds)},
}

// Combinations of conditions that can never hold, or contradict each other. XX with GT or LT is none of these.
var (
	errExpireNX   = errors.New("ERR NX and XX, GT or LT options at the same time are not compatible")
	errExpireGTLT = errors.New("ERR GT and LT options at the same time are not compatible")
)

// expireCondition is NX, XX, GT or LT of EXPIRE and HEXPIRE: set the expiry only if there is none, if there is one, if
// the new one is later, if it is earlier. A key without an expiry counts as one with an infinite expiry (EXPIRE command
// page), so GT never holds for it and LT does.
type expireCondition struct{ nx, xx, gt, lt bool }

// parseExpireCondition reads the arguments from index from up to to. GT and LT may be combined with XX only.
func parseExpireCondition(c *command.Call, from, to int) (cond expireCondition, err error) {
	for i := from; i < to; i++ {
		switch {
		case c.Is(i, "nx"):
			cond.nx = true
		case c.Is(i, "xx"):
			cond.xx = true
		case c.Is(i, "gt"):
			cond.gt = true
		case c.Is(i, "lt"):
			cond.lt = true
		default:
			option, _, _ := bytes.Cut(c.Arg(i), []byte{0}) // Redis prints it as a C string
			return cond, words.Errorf("ERR Unsupported option %s", option)
		}
	}
	switch {
	case cond.nx && (cond.xx || cond.gt || cond.lt):
		return cond, errExpireNX
	case cond.gt && cond.lt:
		return cond, errExpireGTLT
	}
	return cond, nil
}

// allows reports whether the expiry may be set to when. current is the present expiry, if expires is true; both are
// Unix times in ms.
func (cond expireCondition) allows(current int64, expires bool, when int64) bool {
	switch {
	case cond.nx && expires, cond.xx && !expires:
		return false
	case cond.gt:
		return expires && when > current
	case cond.lt:
		return !expires || when < current
	}
	return true
}

// expire returns the handler of EXPIRE key time [NX | XX | GT | LT], or of PEXPIRE, EXPIREAT or PEXPIREAT by the unit.
// It replies 1 if the expiry is set, or the key deleted since the time has passed; 0 if the key does not exist or the
// condition does not hold. It parses the condition before the time, and both before it looks the key up.
func expire(unit expiryUnit) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		cond, err := parseExpireCondition(c, 3, c.Len())
		if err != nil {
			return c.Fail(err)
		}
		when, err := expiry(c, 2, unit)
		if err != nil {
			return c.Fail(err)
		}
		key := c.Key(1)
		current, expires := c.Tx.Lookup(key, store.Inspect).ExpireAt()
		if !c.Tx.Lookup(key, store.NoStats).Exists() || !cond.allows(current, expires, when) {
			return resp.Zero
		}
		if kept := expireKey(c, key, when); c.Propagates() {
			propagateExpire(c, unit, when, kept)
		}
		return resp.One
	}
}

// propagateExpire sends PEXPIREAT with the conditions of the call, or the deletion of a key that was not kept.
func propagateExpire(c *command.Call, unit expiryUnit, when int64, kept bool) {
	switch {
	case !kept:
		c.PropagateAs(deletionBy(c, "lazyfree-lazy-expire"), c.Key(1))
	case unit != unixMilliseconds:
		propagateExpireAt(c, c.Key(1), when, c.Rest(3)...)
	}
}

// expireKey sets the expiry of an existing key, with the event "expire", or removes the key if the expiry has passed.
// It reports whether the key is still there.
func expireKey(c *command.Call, key []byte, when int64) (kept bool) {
	if passed(c, when) {
		expirePast(c, key)
		return false
	}
	c.Tx.SetExpire(key, max(when, 1)) // it is less only while keys are imported
	c.Changed(key, store.EventGeneric, "expire")
	return true
}

// expirePast removes a key, if it exists, since its new expiry has passed. The event is "del", or that of a key that
// expires. It reports whether the key existed.
func expirePast(c *command.Call, key []byte) bool {
	if !c.Does(emulate.PastExpiryExpires) {
		return deleteKey(c, key)
	}
	if !c.Tx.Delete(key) {
		return false
	}
	c.Tx.CountExpired()
	c.Changed(key, store.EventExpired, "expired")
	return true
}

// persist implements PERSIST key. It replies 1 only if it removed an expiry.
func persist(c *command.Call) resp.Value { return resp.Flag(persistKey(c, c.Key(1))) }

// persistKey removes the expiry of a key and reports whether it had one; else there is no event.
func persistKey(c *command.Call, key []byte) bool {
	if !c.Tx.Persist(key) {
		return false
	}
	c.Changed(key, store.EventGeneric, "persist")
	return true
}

// ttl returns the handler of TTL, PTTL, EXPIRETIME or PEXPIRETIME by the unit. It replies -2 for a missing key and -1
// for one without an expiry (command page), and rounds to the nearest unit as Redis does: a TTL of 0 is a key with less
// than half a second left.
func ttl(unit expiryUnit) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		e := c.Tx.Lookup(c.Key(1), store.NoTouch)
		if !e.Exists() {
			return resp.Int(-2)
		}
		when, expires := e.ExpireAt()
		if !expires {
			return resp.Int(-1)
		}
		when = unit.fromUnixMilli(c, when)
		return resp.Int(when/unit.ms + (when%unit.ms+unit.ms/2)/unit.ms)
	}
}
