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
	return c.eachKey(func(key foundKey) resp.Value { return resp.Bulk(c.Arg(2 + key.pos)) })
}

func commandGetKeysAndFlags(c *Call) resp.Value {
	return c.eachKey(func(key foundKey) resp.Value {
		return resp.Array(resp.Bulk(c.Arg(2+key.pos)), statusSet(key.access))
	})
}

// eachKey finds the keys of the command that follows at word 2 and makes a reply of each.
func (c *Call) eachKey(reply func(foundKey) resp.Value) resp.Value {
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
	keys := cmd.keysIn(args)
	if keys == nil && !cmd.Flags.has(NoMandatoryKeys) {
		return c.Fail(errInvalidKeys)
	}
	replies := make([]resp.Value, len(keys))
	for i, key := range keys {
		replies[i] = reply(key)
	}
	return resp.Array(replies...)
}
