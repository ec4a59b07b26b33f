package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// HGETDEL, HGETEX and HSETEX of Redis 8.0 read or set fields and, in the same step, delete them or set their expiry.
// All arguments are parsed before the hash changes. HSETEX replies 1 if it set all fields, 0 if its condition let it
// set none (HSETEX command page).

var hashGetExCommands = []command.Command{
	{Name: "hgetdel", Usage: "key FIELDS numfields field [field ...]", Arity: -5, Flags: writeFast,
		Keys: command.OneKey, Access: "RW access delete", Since: "8.0.0 valkey-9.1.0",
		Summary: "Returns the values of fields of a hash after deleting them.", Run: hgetdel},
	{Name: "hgetex",
		Usage: "key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST] " +
			"FIELDS numfields field [field ...]",
		Arity: -5, Flags: writeFast, Keys: command.OneKey, Access: "RW access update", Since: "8.0.0 valkey-9.0.0",
		Changes: []command.Change{{Since: "redis", Specs: []command.KeySpec{{Index: 1, Access: "RW access update",
			Note: "RW and UPDATE because it changes the TTL"}}}},
		Summary: "Returns the values of fields of a hash after setting or removing their expiry.", Run: hgetex},
	{Name: "hsetex",
		Usage: "key [NX | XX]{valkey-9.1} [FNX | FXX] " +
			"[EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | KEEPTTL] " +
			"FIELDS numfields field value [field value ...]",
		Arity: -6, Flags: writeDenyOOMFast, Keys: command.OneKey, Access: "RW update", Since: "8.0.0 valkey-9.0.0",
		Changes: []command.Change{{Since: "valkey", Access: "RW insert"}},
		Summary: "Sets fields of a hash with their expiry, and perhaps only if all of them exist or none does.",
		Run:     hsetex},
}

// HSETEX has errors of its own for what SET calls a syntax error. errFieldsInvalid is for a numfields of HSETEX that is
// not an integer or out of range; the two others share the errors of hashes_expire.go.
var (
	errFieldsInvalid   = errors.New("ERR invalid number of fields")
	errFieldConditions = errors.New("ERR Only one of FXX or FNX arguments can be specified")
	errMissingExpire   = errors.New("ERR missing expire time")
	errFieldExpiries   = errors.New("ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified")
)

// parseFieldExpiry reads EX, PX, EXAT or PXAT at argument i and the number after it; found is false if argument i is
// none of these.
func parseFieldExpiry(c *command.Call, i int) (when int64, found bool, err error) {
	unit, found := expiryOption(c, i)
	switch {
	case !found:
		return 0, false, nil
	case i+1 == c.Len():
		return 0, true, errMissingExpire
	}
	when, err = fieldExpiry(c, i+1, unit)
	return when, true, err
}

// copyField returns a copy of the value of a field, which stays valid when the field is deleted.
func copyField(h *store.Hash, field []byte) resp.Value { return resp.Own(hashField(h, field)) }

// hgetdel implements HGETDEL key FIELDS numfields field [field ...]. It replies the old values and has one event,
// "hdel". A field given twice is null the second time.
func hgetdel(c *command.Call) resp.Value {
	h, fields, err := hashWithFields(c, store.ForWrite, errFieldsMismatch)
	if err != nil {
		return c.Fail(err)
	}
	h = expireNamed(c, c.Key(1), h, fields)
	values, deleted := make([]resp.Value, len(fields)), 0
	for i, field := range fields {
		if values[i] = copyField(h, field); !values[i].IsNull() {
			h.Delete(field)
			deleted++
		}
	}
	if deleted > 0 {
		reportFieldsGone(c, h, "hdel", deleted)
		if c.Does(emulate.ReplicatesFields) && c.Propagates() {
			c.PropagateAs("HDEL", append([][]byte{c.Key(1)}, fields...)...)
		}
	}
	return resp.Array(values...)
}

// getExOptions are the arguments after the key.
type getExOptions struct {
	persist bool
	expires bool
	when    int64 // if expires is set
	fields  [][]byte
}

// parseHGetEx reads at most one option: FIELDS must follow it.
func parseHGetEx(c *command.Call) (o getExOptions, err error) {
	at := 2
	o.persist = c.Is(2, "persist")
	if o.when, o.expires, err = parseFieldExpiry(c, 2); err != nil {
		return o, err
	}
	switch {
	case o.persist:
		at = 3
	case o.expires:
		at = 4
	}
	o.fields, err = fields(c, at, errFieldsNumber)
	return o, err
}

// hashForGetEx returns the hash of argument 1 for HGETEX, nil if it is missing, and the other arguments.
func hashForGetEx(c *command.Call) (h *store.Hash, o getExOptions, err error) {
	if c.Does(emulate.FieldOptionsLikeSet) {
		return hgetexLikeSet(c)
	}
	if h, err = writeHash(c, c.Key(1)); err == nil {
		o, err = parseHGetEx(c)
	}
	return h, o, err
}

// hgetex implements HGETEX key [EX s | PX ms | EXAT time | PXAT time | PERSIST] FIELDS numfields field [field ...].
// Without an option it only reads. The event is that of HEXPIRE or "hpersist". It replies the values as they were,
// also of fields that it deletes since their expiry has passed.
func hgetex(c *command.Call) resp.Value {
	h, o, err := hashForGetEx(c)
	if err != nil {
		return c.Fail(err)
	}
	h = expireNamed(c, c.Key(1), h, o.fields)
	if o.expires || o.persist {
		prepareFieldExpiry(c, h)
	}
	var done [][]byte
	values := make([]resp.Value, len(o.fields))
	for i, field := range o.fields {
		values[i] = copyField(h, field)
		switch {
		case values[i].IsNull():
		case o.expires:
			expireField(c, h, field, o.when)
			done = append(done, field)
		case o.persist && h.Persist(field):
			done = append(done, field)
		}
	}
	o.report(c, h, done)
	return resp.Array(values...)
}

// report reports what has become of the fields whose expiry has changed.
func (o *getExOptions) report(c *command.Call, h *store.Hash, done [][]byte) {
	switch {
	case len(done) == 0:
		return
	case o.expires:
		reportFieldExpiry(c, h, o.when, len(done))
	default:
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: "hpersist", Count: len(done)})
	}
	if c.Propagates() {
		o.propagate(c, done)
	}
}

// setExOptions are the arguments of HSETEX.
type setExOptions struct {
	at          int  // index of the number of the expiry
	conditional bool // FNX or FXX
	exist       bool // FXX: all fields must exist; FNX: none may
	keepTTL     bool
	expires     bool
	when        int64
	pairs       [][]byte // fields and values
}

// parseHSetEx accepts the options in any order before FIELDS, which is required: without it the error is that of the
// arity, whatever the options are.
func parseHSetEx(c *command.Call) (o setExOptions, err error) {
	for i := 2; i < c.Len(); {
		used, err := o.parseOption(c, i)
		if err != nil || o.pairs != nil {
			return o, err
		}
		i += used
	}
	return o, command.ErrArity(c.Cmd)
}

// parseOption reads the option at argument i and returns how many arguments it used. FIELDS uses all that follow.
func (o *setExOptions) parseOption(c *command.Call, i int) (used int, err error) {
	switch {
	case c.Is(i, "fields"):
		return 0, o.parsePairs(c, i)
	case c.Is(i, "fxx"), c.Is(i, "fnx"):
		if o.conditional {
			return 0, errFieldConditions
		}
		o.conditional, o.exist = true, c.Is(i, "fxx")
		return 1, nil
	case c.Is(i, "keepttl"):
		if o.keepTTL || o.expires {
			return 0, errFieldExpiries
		}
		o.keepTTL = true
		return 1, nil
	}
	// Two options of this kind are an error even if they are equal.
	before := o.keepTTL || o.expires
	o.when, o.expires, err = parseFieldExpiry(c, i)
	switch {
	case o.expires && before:
		return 0, errFieldExpiries
	case o.expires:
		o.at = i + 1
	default:
		return 0, words.Errorf("ERR unknown argument: %s", c.Arg(i))
	}
	return 2, err
}

// parsePairs reads numfields at argument i+1 and as many pairs of field and value.
func (o *setExOptions) parsePairs(c *command.Call, i int) error {
	if i+3 >= c.Len() {
		return command.ErrArity(c.Cmd)
	}
	n, err := c.IntBetween(i+1, 1, math.MaxInt32, errFieldsInvalid)
	if err != nil {
		return errFieldsInvalid
	}
	if o.pairs = c.Rest(i + 2); int64(len(o.pairs)) != 2*n {
		return command.ErrArity(c.Cmd)
	}
	return nil
}

// holds reports whether FNX or FXX allows to set the fields of h, which may be nil.
func (o *setExOptions) holds(c *command.Call, h *store.Hash) bool {
	read, holds := 0, true
	for o.conditional && read < len(o.pairs) && holds {
		holds = hashField(h, o.pairs[read]).IsNull() != o.exist
		read += 2
	}
	if h != nil && h.Hides() && c.Does(emulate.NamedFieldsExpire) {
		c.Tx.ExpireHidden(c.Key(1), h, fieldsOf(o.pairs[:read]), holds)
	}
	return holds
}

// hashForSetEx returns the other arguments of HSETEX, and reports whether its conditions let it set the fields.
func hashForSetEx(c *command.Call) (o setExOptions, holds bool, err error) {
	var h *store.Hash
	if c.Does(emulate.FieldOptionsLikeSet) {
		h, o, holds, err = hsetexLikeSet(c)
		return o, holds && o.holds(c, h), err
	}
	if o, err = parseHSetEx(c); err == nil {
		h, err = writeHash(c, c.Key(1))
	}
	return o, err == nil && o.holds(c, h), err
}

// hsetex implements HSETEX key [NX | XX] [FNX | FXX] [EX s | PX ms | EXAT time | PXAT time | KEEPTTL] FIELDS numfields
// field value [field value ...]. It keeps the expiry of a field with KEEPTTL only, as SET does for a key. The event is
// "hset", followed by that of HEXPIRE if an expiry is given.
func hsetex(c *command.Call) resp.Value {
	o, holds, err := hashForSetEx(c)
	if err != nil || !holds {
		return c.FailOr(err, resp.Zero)
	}
	h, err := makeHash(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	replaceHidden(c, h, o.pairs)
	set, thresholds := h.Set, c.Env().Store.Thresholds()
	if c.Does(emulate.SizesHSetEx) {
		h.Expect(thresholds, len(o.pairs)/2)
	}
	if o.keepTTL {
		set = h.Update
	}
	changes := len(o.pairs) / 2
	if o.lapses(c) {
		changes = o.present(h)
	}
	if c.Propagates() {
		o.propagate(c, h)
	}
	unmodified := changes == 0
	for i := 0; i < len(o.pairs); i += 2 {
		set(thresholds, o.pairs[i], o.pairs[i+1])
	}
	c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: "hset", Count: changes, Unmodified: unmodified})
	switch {
	case unmodified:
		o.expireNew(c, h)
	case o.expires:
		o.expire(c, h)
	}
	return resp.One
}

// expireNew removes the fields, none of which was there before, with the events of an expiry that has passed. To
// clients that watch or cache the key nothing has changed.
func (o *setExOptions) expireNew(c *command.Call, h *store.Hash) {
	for i := 0; i < len(o.pairs); i += 2 {
		expireField(c, h, o.pairs[i], o.when)
	}
	for _, event := range []string{"hexpire", "hexpired"} {
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: event, Unmodified: true})
	}
	if h.Len() == 0 {
		c.Tx.Delete(c.Key(1))
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventGeneric, Event: "del", Unmodified: true})
	}
}

// expire sets the expiry of the fields that HSETEX has set. They exist now, even if their expiry has passed: then
// expireField deletes them. Valkey reports the expiry in any case.
func (o *setExOptions) expire(c *command.Call, h *store.Hash) {
	if o.lapses(c) {
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventHash, Event: "hexpire"})
	}
	prepareFieldExpiry(c, h)
	for i := 0; i < len(o.pairs); i += 2 {
		expireField(c, h, o.pairs[i], o.when)
	}
	reportFieldExpiry(c, h, o.when, 0)
}

// lapses reports whether the expiry has passed and makes the fields expire: then only those that were there count as
// changes.
func (o *setExOptions) lapses(c *command.Call) bool {
	return o.expires && passed(c, o.when) && c.Does(emulate.PastExpiryExpires)
}

// present counts the fields that the hash has, each as often as it is given.
func (o *setExOptions) present(h *store.Hash) (n int) {
	for i := 0; i < len(o.pairs); i += 2 {
		if _, ok := h.Get(o.pairs[i]); ok {
			n++
		}
	}
	return n
}
