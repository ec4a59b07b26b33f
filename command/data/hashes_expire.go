package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Since Redis 7.4 fields can expire like keys (HEXPIRE command page). The commands take FIELDS numfields field ...,
// and reply one code per field. They reply -2 for each field of a missing hash. A hash that loses its last field this
// way is deleted. One event stands for all fields of a call.

var hashExpireCommands = []command.Command{
	{Name: "hexpire", Usage: "key seconds [NX | XX | GT | LT] FIELDS numfields field [field ...]", Arity: -6,
		Flags: writeFast, Keys: command.OneKey, Access: "RW update", Since: "7.4.0 valkey-9.0.0",
		Summary: "Sets the time to live of fields of a hash in seconds.", Run: hexpire(seconds)},
	{Name: "hexpireat", Usage: "key unix-time-seconds [NX | XX | GT | LT] FIELDS numfields field [field ...]",
		Arity: -6, Flags: writeFast, Keys: command.OneKey, Access: "RW update", Since: "7.4.0 valkey-9.0.0",
		Summary: "Sets the expiry of fields of a hash to a Unix time in seconds.", Run: hexpire(unixSeconds)},
	{Name: "hexpiretime", Usage: "key FIELDS numfields field [field ...]", Arity: -5, Flags: readOnlyFast,
		Keys: command.OneKey, Access: "RO access", Since: "7.4.0 valkey-9.0.0",
		Summary: "Returns the expiry of fields of a hash as a Unix time in seconds.", Run: fieldTTL(unixSeconds)},
	{Name: "hpersist", Usage: "key FIELDS numfields field [field ...]", Arity: -5, Flags: writeFast,
		Keys: command.OneKey, Access: "RW update", Since: "7.4.0 valkey-9.0.0",
		Summary: "Removes the expiry of fields of a hash.", Run: hpersist},
	{Name: "hpexpire", Usage: "key milliseconds [NX | XX | GT | LT] FIELDS numfields field [field ...]", Arity: -6,
		Flags: writeFast, Keys: command.OneKey, Access: "RW update", Since: "7.4.0 valkey-9.0.0",
		Summary: "Sets the time to live of fields of a hash in milliseconds.", Run: hexpire(milliseconds)},
	{Name: "hpexpireat", Usage: "key unix-time-milliseconds [NX | XX | GT | LT] FIELDS numfields field [field ...]",
		Arity: -6, Flags: writeFast, Keys: command.OneKey, Access: "RW update", Since: "7.4.0 valkey-9.0.0",
		Summary: "Sets the expiry of fields of a hash to a Unix time in milliseconds.",
		Run:     hexpire(unixMilliseconds)},
	{Name: "hpexpiretime", Usage: "key FIELDS numfields field [field ...]", Arity: -5, Flags: readOnlyFast,
		Keys: command.OneKey, Access: "RO access", Since: "7.4.0 valkey-9.0.0",
		Summary: "Returns the expiry of fields of a hash as a Unix time in milliseconds.",
		Run:     fieldTTL(unixMilliseconds)},
	{Name: "hpttl", Usage: "key FIELDS numfields field [field ...]", Arity: -5, Flags: readOnlyFast,
		Keys: command.OneKey, Access: "RO access", Since: "7.4.0 valkey-9.0.0",
		Changes: []command.Change{{Since: "redis", Tips: "nondeterministic_output"}},
		Summary: "Returns the time to live of fields of a hash in milliseconds.", Run: fieldTTL(milliseconds)},
	{Name: "httl", Usage: "key FIELDS numfields field [field ...]", Arity: -5, Flags: readOnlyFast,
		Keys: command.OneKey, Access: "RO access", Since: "7.4.0 valkey-9.0.0",
		Changes: []command.Change{{Since: "redis", Tips: "nondeterministic_output"}},
		Summary: "Returns the time to live of fields of a hash in seconds.", Run: fieldTTL(seconds)},
}

// The errors of FIELDS and of the time. Redis spells numfields in several ways; which error a numfields below 1 has
// depends on the command: errFieldsTooFew for those that set an expiry, errFieldsNumber for all others.
var (
	errNoFields       = errors.New("ERR Mandatory argument FIELDS is missing or not at the right position")
	errFieldCount     = errors.New("ERR The `numfields` parameter must match the number of arguments")
	errFieldsTooFew   = errors.New("ERR Parameter `numFields` should be greater than 0")
	errFieldsNumber   = errors.New("ERR Number of fields must be a positive integer")
	errExpireNegative = errors.New("ERR invalid expire time, must be >= 0")
)

// The codes of the replies (HEXPIRE command page).
const (
	fieldMissing         = -2
	fieldNoTTL           = -1 // the field has no expiry
	fieldConditionNotMet = 0  // the condition does not hold
	fieldUpdated         = 1
	fieldDeleted         = 2 // the expiry has passed already
)

// fields reads FIELDS at argument i, numfields and the fields, which must be all other arguments: so FIELDS is always
// the last option. tooFew is the error for a numfields below 1: it differs by command.
func fields(c *command.Call, i int, tooFew error) ([][]byte, error) {
	switch {
	case i+1 >= c.Len():
		return nil, command.ErrArity(c.Cmd)
	case !c.Is(i, "fields"):
		return nil, errNoFields
	}
	n, err := c.AtLeast(i+1, 1, tooFew)
	switch {
	case err != nil:
		return nil, err
	case n != c.Len()-i-2:
		return nil, errFieldCount
	}
	return c.Rest(i + 2), nil
}

// maxFieldTime is the latest expiry of a field, a Unix time in ms (EB_EXPIRE_TIME_MAX): Redis has 46 bits for it.
const maxFieldTime = 1<<46 - 1

// fieldExpiry reads argument i as the expiry of fields and returns it as a Unix time in ms.
func fieldExpiry(c *command.Call, i int, unit expiryUnit) (when int64, err error) {
	n, err := c.IntBetween(i, 0, math.MaxInt64, errExpireNegative)
	if err != nil {
		return 0, err
	}
	return unixMilli(c, n, unit, maxFieldTime)
}

// parseFieldCondition reads an optional condition at argument i and returns the index of the argument after it.
// Unlike EXPIRE, HEXPIRE takes one condition only.
func parseFieldCondition(c *command.Call, i int) (cond expireCondition, at int) {
	cond = expireCondition{nx: c.Is(i, "nx"), xx: c.Is(i, "xx"), gt: c.Is(i, "gt"), lt: c.Is(i, "lt")}
	if cond != (expireCondition{}) {
		i++
	}
	return cond, i
}

// expireFieldsOptions are the arguments of HEXPIRE and its like after the key.
type expireFieldsOptions struct {
	when   int64 // Unix time in ms
	cond   expireCondition
	fields [][]byte
}

func parseHExpire(c *command.Call, unit expiryUnit) (o expireFieldsOptions, err error) {
	if o.when, err = fieldExpiry(c, 2, unit); err != nil {
		return o, err
	}
	at := 0
	o.cond, at = parseFieldCondition(c, 3)
	o.fields, err = fields(c, at, errFieldsTooFew)
	return o, err
}

// hashToExpire returns the hash of argument 1, nil if it is missing, and the other arguments. It checks the type of the
// key before it parses the arguments, and Valkey the other way round.
func hashToExpire(c *command.Call, unit expiryUnit) (h *store.Hash, o expireFieldsOptions, err error) {
	if c.Does(emulate.FieldOptionsLikeSet) {
		if o, err = parseHExpireLikeSet(c, unit); err == nil {
			h, err = writeHash(c, c.Key(1))
		}
		return h, o, err
	}
	if h, err = writeHash(c, c.Key(1)); err == nil {
		o, err = parseHExpire(c, unit)
	}
	return h, o, err
}

// hexpire returns the handler of HEXPIRE key time [NX | XX | GT | LT] FIELDS numfields field [field ...], or of
// HPEXPIRE, HEXPIREAT or HPEXPIREAT by the unit. The event is "hexpire", or that of fieldsGone if the time has passed;
// there is none if the condition held for no field.
func hexpire(unit expiryUnit) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		h, o, err := hashToExpire(c, unit)
		if err != nil {
			return c.Fail(err)
		}
		prepareFieldExpiry(c, h)
		var done [][]byte
		reply := fieldCodes(o.fields, func(field []byte) int64 {
			if h == nil || !present(c, h, field) {
				return fieldMissing
			}
			// The condition is checked for each field by itself.
			if now, expires := h.ExpireAt(field); !o.cond.allows(now, expires, o.when) {
				return fieldConditionNotMet
			}
			done = append(done, field)
			return expireField(c, h, field, o.when)
		})
		if len(done) > 0 {
			reportFieldExpiry(c, h, o.when, len(done))
			if c.Propagates() {
				o.propagate(c, unit, done)
			}
		}
		return reply
	}
}

// prepareFieldExpiry changes how Redis keeps a hash, which may be nil, before it sets the expiry of fields.
func prepareFieldExpiry(c *command.Call, h *store.Hash) {
	if h != nil && !c.Does(emulate.FieldExpiryUnpacks) {
		h.PrepareDeadlines()
	}
}

// fieldReplies replies the code that f returns for each field that exists. h may be nil.
func fieldReplies(h *store.Hash, fields [][]byte, f func(field []byte) int64) resp.Value {
	return fieldCodes(fields, func(field []byte) int64 {
		if hashField(h, field).IsNull() {
			return fieldMissing
		}
		return f(field)
	})
}

// fieldCodes replies the code that f returns for each field.
func fieldCodes(fields [][]byte, f func(field []byte) int64) resp.Value {
	codes := make([]resp.Value, len(fields))
	for i, field := range fields {
		codes[i] = resp.Int(f(field))
	}
	return resp.Array(codes...)
}

// expireField sets the expiry of a field of the hash of argument 1, or deletes the field if the expiry has passed. It
// returns the code of the reply.
func expireField(c *command.Call, h *store.Hash, field []byte, when int64) int64 {
	if passed(c, when) {
		h.Delete(field)
		c.Tx.CountExpiredField()
		return fieldDeleted
	}
	if c.Does(emulate.FieldExpiryUnpacks) {
		h.Unpack()
	}
	c.Tx.ExpireField(c.Key(1), h, field, when)
	return fieldUpdated
}

// reportFieldExpiry reports so many changes after expireField was called for some fields of the hash of argument 1.
func reportFieldExpiry(c *command.Call, h *store.Hash, when int64, count int) {
	if !passed(c, when) {
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: "hexpire", Count: count})
		return
	}
	reportFieldsGone(c, h, fieldsGone(c), count)
}

// fieldsGone is the event of fields that a command removes since their new expiry has passed.
func fieldsGone(c *command.Call) string {
	if c.Does(emulate.PastExpiryExpires) {
		return "hexpired"
	}
	return "hdel"
}

// hpersist implements HPERSIST key FIELDS numfields field [field ...]. It replies 1 for a field that lost its expiry,
// -1 for one that had none. The event is "hpersist", if any field lost its expiry.
func hpersist(c *command.Call) resp.Value {
	h, fields, err := hashWithFields(c, store.ForWrite, errFieldsMismatch)
	if err != nil {
		return c.Fail(err)
	}
	done := 0
	reply := fieldReplies(h, fields, func(field []byte) int64 {
		if !h.Persist(field) {
			return fieldNoTTL
		}
		done++
		return fieldUpdated
	})
	if done > 0 && !c.Does(emulate.CountsPersisted) {
		done = 1
	}
	if done > 0 {
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: "hpersist", Count: done})
	}
	return reply
}

// fieldTTL returns the handler of HTTL, HPTTL, HEXPIRETIME or HPEXPIRETIME by the unit: key FIELDS numfields field
// [field ...]. Unlike TTL it rounds up, as Redis does. Unlike TTL it also marks the key as used.
func fieldTTL(unit expiryUnit) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		h, fields, err := hashWithFields(c, store.ForRead, command.ErrSyntax)
		if err != nil {
			return c.Fail(err)
		}
		return fieldReplies(h, fields, func(field []byte) int64 {
			when, expires := h.ExpireAt(field)
			if !expires {
				return fieldNoTTL
			}
			return (unit.fromUnixMilli(c, when) + unit.ms - 1) / unit.ms
		})
	}
}
