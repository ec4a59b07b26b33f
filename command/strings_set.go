package command

import (
	"math"
	"slices"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var settingStringCommands = []Command{
	{Name: "getset", Usage: "key value", Arity: 3, Flags: Write | DenyOOM | Fast, Keys: OneKey,
		Access: "RW access update", Since: "1.0.0",
		Summary: "Returns the string value of a key after setting it to a new one.", Run: getset},
	{Name: "mset", Usage: "key value [key value ...]", Arity: -3, Flags: Write | DenyOOM, Keys: keysBeforeValues,
		Access: "OW update", Since: "1.0.1", Tips: "request_policy:multi_shard response_policy:all_succeeded",
		Summary: "Sets several keys to string values.", Run: mset},
	{Name: "msetnx", Usage: "key value [key value ...]", Arity: -3, Flags: Write | DenyOOM, Keys: keysBeforeValues,
		Access: "OW insert", Since: "1.0.1", Tips: "request_policy:multi_shard response_policy:agg_min",
		Summary: "Sets several keys to string values, only if none of them exists.", Run: msetnx},
	{Name: "psetex", Usage: "key milliseconds value", Arity: 4, Flags: Write | DenyOOM | Brief, Keys: OneKey,
		Access: "OW update", Since: "2.6.0",
		Summary: "Sets the string value of a key and its expiry in milliseconds.", Run: setex(px)},
	{Name: "set", Usage: "key value [NX | XX] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds | " +
		"PXAT unix-time-milliseconds | KEEPTTL]", Arity: -3, Flags: Write | DenyOOM | Brief, Keys: OneKey, Since: "1.0.0",
		Specs: []KeySpec{{Index: 1,
			Access: "RW access update variable_flags", Note: "RW and ACCESS due to the optional `GET` argument"}},
		AccessOf: accessOfSet,
		Summary:  "Sets the string value of a key, whatever it held before.", Run: set},
	{Name: "setex", Usage: "key seconds value", Arity: 4, Flags: Write | DenyOOM | Brief, Keys: OneKey,
		Access: "OW update", Since: "2.0.0",
		Summary: "Sets the string value of a key and its expiry in seconds.", Run: setex(ex)},
	{Name: "setnx", Usage: "key value", Arity: 3, Flags: Write | DenyOOM | Fast, Keys: OneKey,
		Access: "OW insert", Since: "1.0.0",
		Summary: "Sets the string value of a key, only if the key does not exist.", Run: setnx},
}

// accessOfSet is that of SET: with GET it reads, too.
func accessOfSet(args [][]byte) string {
	if slices.ContainsFunc(args[min(3, len(args)):], func(arg []byte) bool { return equalFold(arg, "get") }) {
		return "RW access update"
	}
	return "OW update"
}

// keysBeforeValues are keys and values in turn.
var keysBeforeValues = Keys{First: 1, Last: -1, Step: 2}

// lifetime is an option of SET or GETEX that says how long the key shall live; at most one kind is given.
type lifetime struct {
	word     string
	unit     int64 // of the number behind it, in ms; 0 if there is none
	relative bool  // the number counts from now, not from the epoch
	only     string
}

var (
	ex      = &lifetime{word: "ex", unit: 1000, relative: true}
	px      = &lifetime{word: "px", unit: 1, relative: true}
	exat    = &lifetime{word: "exat", unit: 1000}
	pxat    = &lifetime{word: "pxat", unit: 1}
	keepTTL = &lifetime{word: "keepttl", only: "set"}
	persist = &lifetime{word: "persist", only: "getex"}

	lifetimes = []*lifetime{ex, px, exat, pxat, keepTTL, persist}
)

// lifetimeAt is the lifetime that the i-th word names, nil if it names none that the command takes.
func (c *Call) lifetimeAt(i int) *lifetime {
	for _, l := range lifetimes {
		if c.Is(i, l.word) && (l.only == "" || l.only == c.Cmd.Name) {
			return l
		}
	}
	return nil
}

// deadline is the moment that the i-th word tells, in ms since the epoch. It may have passed, but is positive.
func (l *lifetime) deadline(c *Call, i int) (int64, error) {
	n, err := c.Int(i)
	if err != nil {
		return 0, err
	}
	if n <= 0 || n > math.MaxInt64/l.unit {
		return 0, errInvalidExpire(c.Cmd)
	}
	n *= l.unit
	if !l.relative {
		return n, nil
	}
	if n > math.MaxInt64-c.Tx.Latest() {
		return 0, errInvalidExpire(c.Cmd)
	}
	return n + c.Tx.Latest(), nil
}

// setOptions are the words behind the value of SET and the key of GETEX.
type setOptions struct {
	nx, xx, get bool
	life        *lifetime // nil for none
	at          int       // position of its number
}

func (o *setOptions) deadline(c *Call) (when int64, err error) {
	if o.life == nil || o.life.unit == 0 {
		return 0, nil
	}
	return o.life.deadline(c, o.at)
}

// parseSetOptions reads the options, which begin at argument from. Only SET is conditional; GETEX takes the lifetimes.
func parseSetOptions(c *Call, from int, conditional bool) (o setOptions, err error) {
	for i := from; i < c.Len(); i++ {
		switch {
		case conditional && !o.xx && c.Is(i, "nx"):
			o.nx = true
		case conditional && !o.nx && c.Is(i, "xx"):
			o.xx = true
		case conditional && c.Is(i, "get"):
			o.get = true
		default:
			l := c.lifetimeAt(i)
			if l == nil || o.life != nil && o.life != l {
				return o, errSyntax
			}
			if o.life = l; l.unit > 0 {
				i++
				o.at = i
			}
		}
	}
	if o.at >= c.Len() {
		return o, errSyntax
	}
	return o, nil
}

func set(c *Call) resp.Value {
	o, err := parseSetOptions(c, 3, true)
	if err != nil {
		return c.Fail(err)
	}
	when, err := o.deadline(c)
	if err != nil {
		return c.Fail(err)
	}
	if o.get {
		return c.setAndGet(&o, when)
	}
	if !c.setIf(&o, when) {
		return resp.Null
	}
	return resp.OK
}

// setAndGet is SET with GET: the reply is the old value, whether or not it is replaced.
func (c *Call) setAndGet(o *setOptions, when int64) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	old := resp.Own(stringReply(s)) // setting overwrites it
	c.setIf(o, when)
	return old
}

// setIf sets the key unless NX or XX forbids it, which it reports as false.
func (c *Call) setIf(o *setOptions, when int64) bool {
	key := c.Key(1)
	if (o.nx || o.xx) && c.Tx.Exists(key) != o.xx {
		return false
	}
	c.setString(key, c.Arg(2), o.life == keepTTL)
	if when != 0 {
		c.Tx.SetExpire(key, when)
		c.Tx.Notify(key, store.EventGeneric, "expire")
	}
	return true
}

// setString stores a copy of value, with the event "set".
func (c *Call) setString(key, value []byte, keepTTL bool) {
	c.Tx.SetString(key, value, keepTTL)
	c.Changed(key, store.EventString, "set")
}

func setnx(c *Call) resp.Value {
	return resp.Flag(c.setIf(&setOptions{nx: true}, 0))
}

// setex returns the handler of SETEX or PSETEX.
func setex(l *lifetime) func(*Call) resp.Value {
	return func(c *Call) resp.Value {
		when, err := l.deadline(c, 2)
		if err != nil {
			return c.Fail(err)
		}
		key := c.Key(1)
		c.setString(key, c.Arg(3), false)
		c.Tx.SetExpire(key, when)
		c.Tx.Notify(key, store.EventGeneric, "expire")
		return resp.OK
	}
}

func getset(c *Call) resp.Value { return c.setAndGet(&setOptions{}, 0) }

func mset(c *Call) resp.Value {
	if c.Len()%2 == 0 {
		return c.Fail(errArity(c.Cmd))
	}
	c.setPairs()
	return resp.OK
}

func msetnx(c *Call) resp.Value {
	if c.Len()%2 == 0 {
		return c.Fail(errArity(c.Cmd))
	}
	for i := 1; i < c.Len(); i += 2 {
		if c.Tx.Exists(c.Key(i)) {
			return resp.Zero
		}
	}
	c.setPairs()
	return resp.One
}

// setPairs sets the keys and values that are the words behind the name.
func (c *Call) setPairs() {
	for i := 1; i < c.Len(); i += 2 {
		c.setString(c.Key(i), c.Arg(i+1), false)
	}
}
