package admin

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var (
	errInvalidCommand = errors.New("ERR Invalid command specified")
	errInvalidArity   = errors.New("ERR Invalid number of arguments specified for command")
	errInvalidKeys    = errors.New("ERR Invalid arguments specified for command")
	errNoKeyArguments = errors.New("ERR The command has no key arguments")
)

// none reports whether a command has no key arguments.
func none(k command.Keys) bool { return k.First == 0 && k.Count == 0 && k.Find == nil }

func commandGetKeys(c *command.Call) resp.Value {
	return eachKey(c, func(key command.FoundKey) resp.Value { return resp.Bulk(c.Arg(2 + key.Pos)) })
}

func commandGetKeysAndFlags(c *command.Call) resp.Value {
	return eachKey(c, func(key command.FoundKey) resp.Value {
		return resp.Array(resp.Bulk(c.Arg(2+key.Pos)), statusSet(key.Access))
	})
}

// eachKey finds the keys of the command line that begins at argument 2, and replies with reply of each.
func eachKey(c *command.Call, reply func(command.FoundKey) resp.Value) resp.Value {
	args := c.Rest(2)
	cmd, err := c.Env().Table.Lookup(args)
	switch {
	case cmd == nil:
		return c.Fail(errInvalidCommand)
	case none(cmd.Keys):
		return c.Fail(errNoKeyArguments)
	case err != nil:
		return c.Fail(errInvalidArity)
	}
	keys := cmd.KeysIn(args)
	if keys == nil && !cmd.Flags.Has(command.NoMandatoryKeys) {
		return c.Fail(errInvalidKeys)
	}
	replies := make([]resp.Value, len(keys))
	for i, key := range keys {
		replies[i] = reply(key)
	}
	return resp.Array(replies...)
}
