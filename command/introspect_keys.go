package command

import (
	"errors"

	"github.com/minilockd/minilockd/internal/resp"
)

var (
	errInvalidCommand = errors.New("ERR Invalid command specified")
	errInvalidArity   = errors.New("ERR Invalid number of arguments specified for command")
	errInvalidKeys    = errors.New("ERR Invalid arguments specified for command")
	errNoKeyArguments = errors.New("ERR The command has no key arguments")
)

// none reports whether no word of a call can be a key.
func (k Keys) none() bool { return k.First == 0 && k.Count == 0 && k.Find == nil }

func commandGetKeys(c *Call) resp.Value {
	return c.eachKey(func(_ *Command, pos int) resp.Value { return resp.Bulk(c.Arg(2 + pos)) })
}

func commandGetKeysAndFlags(c *Call) resp.Value {
	return c.eachKey(func(cmd *Command, pos int) resp.Value {
		return resp.Array(resp.Bulk(c.Arg(2+pos)), statusSet(cmd.access(c.Rest(2), pos)))
	})
}

// eachKey finds the keys of the command that follows at word 2 and makes a reply of each.
func (c *Call) eachKey(reply func(cmd *Command, pos int) resp.Value) resp.Value {
	args := c.Rest(2)
	cmd, err := c.Env().Table.Lookup(args)
	switch {
	case cmd == nil:
		return c.Fail(errInvalidCommand)
	case cmd.Keys.none():
		return c.Fail(errNoKeyArguments)
	case err != nil:
		return c.Fail(errInvalidArity)
	}
	var replies []resp.Value
	cmd.Keys.each(args, func(pos int) { replies = append(replies, reply(cmd, pos)) })
	if replies == nil && !cmd.Flags.has(NoMandatoryKeys) {
		return c.Fail(errInvalidKeys)
	}
	return resp.Array(replies...)
}

// derivedAccess is access as far as the flags tell: coarser than Redis' own.
func (c *Command) derivedAccess(pos int) []string {
	k := c.Keys
	switch {
	case c.Flags.has(ReadOnly):
		return []string{"RO", "access"}
	case c.Flags.has(NoMandatoryKeys): // a script
		return []string{"RW", "access", "update"}
	case !c.Flags.has(Write):
		return []string{"RO"}
	case k.First > 0 && k.Count > 0: // a destination, then sources
		if pos == k.First {
			return []string{"OW", "update"}
		}
		return []string{"RO", "access"}
	case k.First > 0 && k.Find != nil: // a source, then a destination somewhere
		if pos == k.First {
			return []string{"RO", "access"}
		}
		return []string{"OW", "update"}
	case k.Last > k.First: // a source, then a destination
		if pos == k.First {
			return []string{"RW", "access", "delete"}
		}
		return []string{"OW", "update"}
	case c.Flags.has(DenyOOM):
		return []string{"RW", "update"}
	}
	return []string{"RW", "delete"}
}

// keySpecs are the key specifications of COMMAND INFO (Redis documentation: command key specifications).
func (c *Command) keySpecs() []resp.Value {
	k, flags := c.Keys, specFlags{c, c.accessSpecs()}
	var specs []resp.Value
	switch {
	case k.First == 0:
	case k.Last > k.First:
		for pos := k.First; pos <= k.Last; pos += k.Step {
			specs = append(specs, keySpec(flags.next(pos), indexSearch(pos), rangeFind(0, k.Step)))
		}
	default:
		specs = append(specs, keySpec(flags.next(k.First), indexSearch(k.First), rangeFind(min(k.Last, 0), k.Step)))
	}
	if k.Count > 0 {
		specs = append(specs, keySpec(flags.next(k.Count+1), indexSearch(k.Count),
			typed("keynum", fields("keynumidx", 0, "firstkey", 1, "keystep", 1))))
	}
	if k.Find != nil {
		unknown := typed("unknown", resp.Map())
		specs = append(specs, keySpec(append(flags.next(1), "incomplete"), unknown, unknown))
	}
	return specs
}

// specFlags hands out the flags of a command's key specifications in their order.
type specFlags struct {
	cmd  *Command
	left [][]string
}

// next is the flags of the specification that begins at a position.
func (f *specFlags) next(pos int) []string {
	if len(f.left) == 0 {
		return f.cmd.derivedAccess(pos)
	}
	first := f.left[0]
	if len(f.left) > 1 {
		f.left = f.left[1:]
	}
	return first
}

func keySpec(access []string, search, find resp.Value) resp.Value {
	return resp.Map(resp.BulkString("flags"), statusSet(access), resp.BulkString("begin_search"), search, resp.BulkString("find_keys"), find)
}

func indexSearch(pos int) resp.Value { return typed("index", fields("index", pos)) }

func rangeFind(last, step int) resp.Value {
	return typed("range", fields("lastkey", last, "keystep", step, "limit", 0))
}

func typed(kind string, spec resp.Value) resp.Value {
	return resp.Map(resp.BulkString("type"), resp.BulkString(kind), resp.BulkString("spec"), spec)
}

// fields is a map of names and what belongs to them, given in turn: strings, integers or values.
func fields(namesAndValues ...any) resp.Value {
	elems := make([]resp.Value, len(namesAndValues))
	for i, v := range namesAndValues {
		switch v := v.(type) {
		case string:
			elems[i] = resp.BulkString(v)
		case int:
			elems[i] = resp.Int(int64(v))
		case int64:
			elems[i] = resp.Int(v)
		case resp.Value:
			elems[i] = v
		}
	}
	return resp.Map(elems...)
}

// statusSet is a set of status replies.
func statusSet(words []string) resp.Value {
	elems := make([]resp.Value, len(words))
	for i, word := range words {
		elems[i] = resp.Status(word)
	}
	return resp.Set(elems...)
}
