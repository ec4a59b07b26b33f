package admin

// COMMAND GETKEYS and COMMAND GETKEYSANDFLAGS. The call in their arguments is parsed, not run, and its keys are found
// by Command.KeysIn, as for ACL.

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

// commandGetKeys returns the keys of a call: COMMAND GETKEYS command arg [arg ...].
func commandGetKeys(c *command.Call) resp.Value {
	return eachKey(c, func(key command.FoundKey) resp.Value { return resp.Bulk(c.Arg(2 + key.Pos)) })
}

// commandGetKeysAndFlags returns each key of a call with the flags of its key specification, such as RW and update:
// COMMAND GETKEYSANDFLAGS command arg [arg ...].
func commandGetKeysAndFlags(c *command.Call) resp.Value {
	return eachKey(c, func(key command.FoundKey) resp.Value {
		return resp.Array(resp.Bulk(c.Arg(2+key.Pos)), statusSet(key.Access))
	})
}

// eachKey finds the keys of the call that begins at argument 2, and returns the reply of each. A command without keys
// is an error even if the number of its arguments is wrong. So are arguments from which no key can be found, unless
// the command may have none, as EVAL.
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
