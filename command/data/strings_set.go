package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// SET and its older forms. SET overwrites a key of any type and removes its expiry unless KEEPTTL is given (SET
// command page); GET among its options makes it fail on a key of another type. The expiry is a Unix time in ms before
// anything is written, so an invalid one changes nothing.

// settingStringCommands set whole strings.
var settingStringCommands = []command.Command{
	{Name: "getset", Usage: "key value", Arity: 3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW access update", Since: "1.0.0",
		Summary: "Returns the string value of a key after setting it to a new one.", Run: getset},
	{Name: "mset", Usage: "key value [key value ...]", Arity: -3, Flags: writeDenyOOM, Keys: keysBeforeValues,
		Access: "OW update", Since: "1.0.1", Tips: "request_policy:multi_shard response_policy:all_succeeded",
		Summary: "Sets several keys to string values.", Run: mset},
	{Name: "msetnx", Usage: "key value [key value ...]", Arity: -3, Flags: writeDenyOOM, Keys: keysBeforeValues,
		Access: "OW insert", Since: "1.0.1", Tips: "request_policy:multi_shard response_policy:agg_min",
		Changes: []command.Change{{Since: "7.2", Tips: "-"}},
		Summary: "Sets several keys to string values, only if none of them exists.", Run: msetnx},
	{Name: "psetex", Usage: "key milliseconds value", Arity: 4, Flags: writeDenyOOM | command.Brief,
		Keys: command.OneKey, Access: "OW update", Since: "2.6.0",
		Summary: "Sets the string value of a key and its expiry in milliseconds.", Run: setex(milliseconds)},
	{Name: "set",
		Usage: "key value [NX | XX | IFEQ value {8.4 valkey-8.1} | IFNE value {8.4} | IFDEQ digest {8.4} | " +
			"IFDNE digest {8.4}] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds | " +
			"PXAT unix-time-milliseconds | KEEPTTL]",
		Arity: -3, Flags: writeDenyOOM | command.Brief, Keys: command.OneKey, Since: "1.0.0",
		Specs: []command.KeySpec{{Index: 1, Access: "RW access update variable_flags",
			Note: "RW and ACCESS due to the optional `GET` argument"}},
		AccessOf: accessOfSet,
		Summary:  "Sets the string value of a key, whatever it held before.", Run: set},
	{Name: "setex", Usage: "key seconds value", Arity: 4, Flags: writeDenyOOM | command.Brief, Keys: command.OneKey,
		Access: "OW update", Since: "2.0.0",
		Summary: "Sets the string value of a key and its expiry in seconds.", Run: setex(seconds)},
	{Name: "setnx", Usage: "key value", Arity: 3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "OW insert", Since: "1.0.0",
		Summary: "Sets the string value of a key, only if the key does not exist.", Run: setnx},
}

// accessOfSet returns what SET does to its key: with GET it also reads it.
func accessOfSet(args [][]byte) string {
	if slices.ContainsFunc(args[min(3, len(args)):], func(arg []byte) bool { return command.EqualFold(arg, "get") }) {
		return "RW access update"
	}
	return "OW update"
}

// keysBeforeValues are the keys of MSET and MSETNX: each is followed by its value.
var keysBeforeValues = command.Keys{First: 1, Last: -1, Step: 2}

// setOptions are the options of SET, GETEX, MSETEX, HGETEX and HSETEX. keepTTL, persist and an expiry exclude each
// other, and so do nx, xx and a comparison, and fnx and fxx.
type setOptions struct {
	nx, xx, get      bool
	fnx, fxx         bool // of HSETEX, about its fields
	keepTTL, persist bool
	comparison       comparison
	unit             expiryUnit
	at               int // index of the argument with the expiry, 0 if there is none
}

// optionSet says which options a command takes in addition to EX, PX, EXAT and PXAT.
type optionSet uint8

const (
	takesPersist optionSet = 1 << iota
	takesKeepTTL
	takesExistence // NX and XX
	takesFieldExistence
	takesComparison
	takesGet
)

const (
	optionsOfSet    = takesKeepTTL | takesExistence | takesComparison | takesGet
	optionsOfGetEx  = takesPersist
	optionsOfMSetEx = takesKeepTTL | takesExistence
	optionsOfHSetEx = takesKeepTTL | takesExistence | takesFieldExistence
)

// expiry returns the expiry that the options set, as a Unix time in ms, or 0 if they set none.
func (o *setOptions) expiry(c *command.Call) (when int64, err error) {
	if o.at == 0 {
		return 0, nil
	}
	return positiveExpiry(c, o.at, o.unit)
}

// parseSetOptions parses the options from argument from on, up to argument to.
func parseSetOptions(c *command.Call, from, to int, takes optionSet) (o setOptions, err error) {
	for i := from; i < to; i++ {
		switch {
		case takes&takesGet != 0 && c.Is(i, "get"):
			o.get = true
		case o.parseExistence(c, i, takes):
		case takes&takesComparison != 0 && o.parseComparison(c, i):
			i++
		case o.parseExpiryOption(c, i, takes):
			i = max(i, o.at) // skips the number
		default:
			return o, command.ErrSyntax
		}
	}
	// The option was the last argument, without its number.
	if o.at >= to && o.at != 0 {
		return o, command.ErrSyntax
	}
	return o, nil
}

// parseExistence reports whether argument i is a condition about what exists, which may be given several times.
func (o *setOptions) parseExistence(c *command.Call, i int, takes optionSet) bool {
	keys, fields := takes&takesExistence != 0 && o.comparison.kind == noComparison, takes&takesFieldExistence != 0
	switch {
	case keys && !o.xx && c.Is(i, "nx"):
		o.nx = true
	case keys && !o.nx && c.Is(i, "xx"):
		o.xx = true
	case fields && !o.fxx && c.Is(i, "fnx"):
		o.fnx = true
	case fields && !o.fnx && c.Is(i, "fxx"):
		o.fxx = true
	default:
		return false
	}
	return true
}

// parseComparison reports whether argument i compares the present value, with the argument after it.
func (o *setOptions) parseComparison(c *command.Call, i int) bool {
	if o.nx || o.xx || o.comparison.kind != noComparison || i+1 >= c.Len() {
		return false
	}
	o.comparison = comparisonAt(c, i)
	return o.comparison.kind != noComparison
}

// parseExpiryOption reports whether argument i is an option that concerns the expiry. Redis allows one of them, but
// that one several times, with the last number winning.
func (o *setOptions) parseExpiryOption(c *command.Call, i int, takes optionSet) bool {
	unit, ok := expiryOption(c, i)
	switch {
	case ok && !o.keepTTL && !o.persist && (o.at == 0 || o.unit == unit):
		o.unit, o.at = unit, i+1
	case takes&takesKeepTTL != 0 && o.at == 0 && c.Is(i, "keepttl"):
		o.keepTTL = true
	case takes&takesPersist != 0 && o.at == 0 && c.Is(i, "persist"):
		o.persist = true
	default:
		return false
	}
	return true
}

// set implements SET key value [NX | XX | IFEQ value | ...] [GET] [EX s | PX ms | EXAT time | PXAT time | KEEPTTL]. It
// replies OK, or null if the condition did not hold. It checks the expiry before the condition: SET with an invalid
// expiry is an error even if NX does not hold. A time that has passed is valid.
func set(c *command.Call) resp.Value {
	o, err := parseSetOptions(c, 3, c.Len(), optionsOfSet)
	if err != nil {
		return c.Fail(err)
	}
	when, err := o.expiry(c)
	if err != nil {
		return c.Fail(err)
	}
	if o.get {
		return setAndGet(c, &o, when)
	}
	switch done, err := setIf(c, &o, when); {
	case err != nil:
		return c.Fail(err)
	case !done:
		return resp.Null
	}
	return resp.OK
}

// setAndGet is SET with GET, and GETSET. It replies the old value whether or not the condition let it be replaced.
func setAndGet(c *command.Call, o *setOptions, when int64) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	old := resp.Own(stringReply(s)) // SetString may reuse its memory
	if _, err = setIf(c, o, when); err != nil {
		return c.Fail(err)
	}
	return old
}

// setIf sets the key and reports whether the condition allowed that. when is the expiry, 0 for none.
func setIf(c *command.Call, o *setOptions, when int64) (bool, error) {
	if ok, err := o.allowSet(c); !ok || err != nil {
		return false, err
	}
	key := c.Key(1)
	if when != 0 && passed(c, when) && c.Does(emulate.PastExpiryExpires) {
		if expired := expirePast(c, key); c.Propagates() {
			propagateIf(c, expired, deletionBy(c, "lazyfree-lazy-expire"), key)
		}
		return true, nil
	}
	setString(c, key, c.Arg(2), o.keepTTL)
	if when != 0 {
		setExpiry(c, key, when)
	}
	if c.Propagates() {
		o.propagate(c, when)
	}
	return true, nil
}

// propagate sends SET with an absolute expiry, or without GET. With an expiry the conditions are left out.
func (o *setOptions) propagate(c *command.Call, when int64) {
	switch {
	case when != 0 && o.unit == unixMilliseconds && c.Does(emulate.ReplicatesPXAT):
	case when != 0:
		propagateSet(c, c.Arg(2), when)
	case o.get && c.Len() == 3: // GETSET
		c.PropagateAs("SET", c.Args[1:]...)
	case o.get:
		args := slices.Clone(c.Args[:3])
		for _, arg := range c.Rest(3) {
			if !command.EqualFold(arg, "get") {
				args = append(args, arg)
			}
		}
		c.Propagate(args...)
	}
}

// propagateSet sends SET for the key of argument 1.
func propagateSet(c *command.Call, value []byte, when int64) {
	name := []byte("SET")
	if command.EqualFold(c.Arg(0), "set") && c.Does(emulate.ReplicatesNames) {
		name = c.Arg(0)
	}
	c.Propagate(name, c.Key(1), value, []byte("PXAT"), decimal(when))
}

// allowSet reports whether the condition, if there is one, holds for the key. To compare the value of another type is
// an error.
func (o *setOptions) allowSet(c *command.Call) (bool, error) {
	switch {
	case o.nx || o.xx:
		return c.Tx.Lookup(c.Key(1), store.NoStats).Exists() == o.xx, nil
	case o.comparison.kind == noComparison:
		return true, nil
	}
	s, err := store.Get[*store.String](c.Tx, c.Key(1), store.NoStats)
	if err != nil {
		return false, err
	}
	return o.comparison.holds(s)
}

// setString stores a copy of value, with the event "set".
func setString(c *command.Call, key, value []byte, keepTTL bool) {
	c.Tx.SetString(key, value, keepTTL)
	c.Changed(key, store.EventString, "set")
}

// setExpiry sets the expiry of a key that setString has just set. It is a second event but not a second change.
func setExpiry(c *command.Call, key []byte, when int64) {
	c.Tx.SetExpire(key, when)
	c.Tx.Report(key, store.Change{Class: store.EventGeneric, Event: "expire", Unmodified: true})
}

// setnx implements SETNX key value: SET with NX that replies 1 or 0.
func setnx(c *command.Call) resp.Value {
	done, err := setIf(c, &setOptions{nx: true}, 0)
	return c.FailOr(err, resp.Flag(done))
}

// setex returns the handler of SETEX key seconds value or PSETEX key milliseconds value: SET with EX or PX, and its two
// events.
func setex(unit expiryUnit) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		when, err := positiveExpiry(c, 2, unit)
		if err != nil {
			return c.Fail(err)
		}
		key := c.Key(1)
		setString(c, key, c.Arg(3), false)
		setExpiry(c, key, when)
		if c.Propagates() {
			propagateSet(c, c.Arg(3), when)
		}
		return resp.OK
	}
}

// getset implements GETSET key value: SET with GET.
func getset(c *command.Call) resp.Value { return setAndGet(c, &setOptions{get: true}, 0) }

// mset implements MSET key value [key value ...]. It replaces keys of any type and removes their expiry, as SET does.
// It can't fail once the arity is right. Each key has an event "set".
func mset(c *command.Call) resp.Value {
	if c.Len()%2 == 0 {
		return c.Fail(command.ErrArity(c.Cmd))
	}
	setKeys(c)
	return resp.OK
}

// msetnx implements MSETNX key value [key value ...]. It sets all keys and replies 1, or none and replies 0 (command
// page).
func msetnx(c *command.Call) resp.Value {
	if c.Len()%2 == 0 {
		return c.Fail(command.ErrArity(c.Cmd))
	}
	for i := 1; i < c.Len(); i += 2 {
		if c.Tx.Lookup(c.Key(i), store.NoStats).Exists() {
			return resp.Zero
		}
	}
	setKeys(c)
	return resp.One
}

// setKeys sets the keys and values of MSET. A key given twice gets the last value.
func setKeys(c *command.Call) {
	for i := 1; i < c.Len(); i += 2 {
		setString(c, c.Key(i), c.Arg(i+1), false)
	}
}
