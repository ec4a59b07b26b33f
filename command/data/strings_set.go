package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
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
		Usage: "key value [NX | XX] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds | " +
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

// setOptions are the options of SET and of GETEX. keepTTL, persist and an expiry exclude each other, and so do nx and
// xx.
type setOptions struct {
	nx, xx, get      bool
	keepTTL, persist bool
	unit             expiryUnit
	at               int // index of the argument with the expiry, 0 if there is none
}

// expiry returns the expiry that the options set, as a Unix time in ms, or 0 if they set none.
func (o *setOptions) expiry(c *command.Call) (when int64, err error) {
	if o.at == 0 {
		return 0, nil
	}
	return positiveExpiry(c, o.at, o.unit)
}

// parseSetOptions parses the options from argument from on. GETEX takes only those that concern the expiry.
func parseSetOptions(c *command.Call, from int, isSet bool) (o setOptions, err error) {
	for i := from; i < c.Len(); i++ {
		switch {
		case isSet && !o.xx && c.Is(i, "nx"):
			o.nx = true
		case isSet && !o.nx && c.Is(i, "xx"):
			o.xx = true
		case isSet && c.Is(i, "get"):
			o.get = true
		case o.parseExpiryOption(c, i, isSet):
			i = max(i, o.at) // skips the number
		default:
			return o, command.ErrSyntax
		}
	}
	// The option was the last argument, without its number.
	if o.at >= c.Len() {
		return o, command.ErrSyntax
	}
	return o, nil
}

// parseExpiryOption reports whether argument i is an option that concerns the expiry. Redis allows one of them, but
// that one several times, with the last number winning.
func (o *setOptions) parseExpiryOption(c *command.Call, i int, isSet bool) bool {
	unit, ok := expiryOption(c, i)
	switch {
	case ok && !o.keepTTL && !o.persist && (o.at == 0 || o.unit == unit):
		o.unit, o.at = unit, i+1
	case isSet && o.at == 0 && c.Is(i, "keepttl"):
		o.keepTTL = true
	case !isSet && o.at == 0 && c.Is(i, "persist"):
		o.persist = true
	default:
		return false
	}
	return true
}

// set implements SET key value [NX | XX] [GET] [EX s | PX ms | EXAT time | PXAT time | KEEPTTL]. It replies OK, or null
// if the condition did not hold. It checks the expiry before the condition: SET with an invalid expiry is an error even
// if NX does not hold. A time that has passed is valid: the key is gone at its next lookup.
func set(c *command.Call) resp.Value {
	o, err := parseSetOptions(c, 3, true)
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
	if !setIf(c, &o, when) {
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
	setIf(c, o, when)
	return old
}

// setIf sets the key and reports whether NX or XX allowed that. when is the expiry, 0 for none.
func setIf(c *command.Call, o *setOptions, when int64) bool {
	key := c.Key(1)
	if (o.nx || o.xx) && c.Tx.Lookup(key, store.NoStats).Exists() != o.xx {
		return false
	}
	setString(c, key, c.Arg(2), o.keepTTL)
	if when != 0 {
		setExpiry(c, key, when)
	}
	return true
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
	return resp.Flag(setIf(c, &setOptions{nx: true}, 0))
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
		return resp.OK
	}
}

// getset implements GETSET key value: SET with GET.
func getset(c *command.Call) resp.Value { return setAndGet(c, &setOptions{}, 0) }

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
