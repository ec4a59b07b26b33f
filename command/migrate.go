package command

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/internal/resp"
)

// migrateCommands: no other server can be reached from here, so MIGRATE moves nothing. It answers what Redis does then.
var migrateCommands = []Command{
	{Name: "migrate", Usage: `host port <key | ""> destination-db timeout [COPY] [REPLACE] [AUTH password | AUTH2 username password] [KEYS key [key ...]]`,
		Arity: -6, Flags: Write | MovableKeys | Dangerous, Keys: Keys{Find: migrateKeys}, Since: "2.6.0",
		Specs:   []KeySpec{{Index: 3, Access: "RW access delete"}, {Keyword: "KEYS", From: -2, Last: -1, Access: "RW access delete incomplete"}},
		Summary: "Would move keys to another server; none can be reached.", Run: migrate, secret: migrateSecrets},
}

var (
	errMigrateKeys = errors.New("ERR When using MIGRATE KEYS option, the key argument must be set to the empty string")
	errNoPeer      = errors.New("IOERR error or timeout connecting to the client")
)

// migrateKeys yields the key in its old place, or those that stand behind KEYS, for which the former must be empty.
func migrateKeys(args [][]byte, yield func(pos int)) {
	at := migrateKeysAt(args)
	if at == 0 {
		yield(3)
		return
	}
	for i := at + 1; i < len(args) && len(args[3]) == 0; i++ {
		yield(i)
	}
}

// migrateKeysAt is the position of KEYS, 0 if it is not there.
func migrateKeysAt(args [][]byte) int {
	for i := 6; i < len(args); i++ {
		switch {
		case equalFold(args[i], "keys"):
			return i
		case equalFold(args[i], "auth"):
			i++
		case equalFold(args[i], "auth2"):
			i += 2
		}
	}
	return 0
}

// migrateSecrets are the passwords; behind KEYS stand only keys.
var migrateSecrets = &secrets{from: 6, options: []option{{"auth", 1, true}, {"auth2", 2, true}, {"keys", math.MaxInt, false}}}

func migrate(c *Call) resp.Value {
	keys, err := c.migrateOptions()
	if err != nil {
		return c.Fail(err)
	}
	for _, i := range []int{5, 4} { // timeout, database
		if _, err := c.Int(i); err != nil {
			return c.Fail(err)
		}
	}
	for _, key := range keys {
		if c.Tx.Exists(key) {
			return c.Fail(errNoPeer)
		}
	}
	return resp.Status("NOKEY")
}

// migrateOptions checks the words behind the timeout and finds the keys.
func (c *Call) migrateOptions() ([][]byte, error) {
	for i := 6; i < c.Len(); i++ {
		switch more := c.Len() - 1 - i; {
		case c.Is(i, "copy"), c.Is(i, "replace"):
		case c.Is(i, "auth") && more >= 1:
			i++
		case c.Is(i, "auth2") && more >= 2:
			i += 2
		case c.Is(i, "keys") && len(c.Arg(3)) > 0:
			return nil, errMigrateKeys
		case c.Is(i, "keys"):
			return c.Rest(i + 1), nil
		default:
			return nil, errSyntax
		}
	}
	return c.Args[3:4], nil
}
