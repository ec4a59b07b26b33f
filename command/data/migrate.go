package data

import (
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// MIGRATE (command page) dumps keys, sends them to another server as RESTORE, and deletes those that the target has
// stored. It keeps the shards of the keys locked while it waits for the target: no client sees a key on both servers,
// as none does while Redis blocks. What the target has stored can't be taken back, so a call that may still restart
// does so before it sends anything.

var migrateCommands = []command.Command{
	{Name: "migrate",
		Usage: `host port <key | ""> destination-db timeout [COPY] [REPLACE] ` +
			"[AUTH password | AUTH2 username password] [KEYS key [key ...]]",
		Arity: -6, Flags: command.Write | command.MovableKeys | command.Dangerous,
		Keys: command.Keys{Find: migrateKeys}, Since: "2.6.0",
		Specs: []command.KeySpec{{Index: 3, Access: "RW access delete"},
			{Keyword: "KEYS", From: -2, Last: -1, Access: "RW access delete incomplete"}},
		Tips:    "nondeterministic_output",
		Summary: "Moves keys to another server by RESTORE, with their expiry.", Run: migrate, Secret: migrateSecrets},
}

// errMigrateKeys is for KEYS after a key that is not empty: Redis would not know which of them to move.
var errMigrateKeys = errors.New("ERR When using MIGRATE KEYS option, the key argument must be set to the empty string")

// migration is a parsed call of MIGRATE.
type migration struct {
	keys          [][]byte // after restores only those that exist
	auth          [][]byte // the arguments of AUTH or AUTH2
	copy, replace bool
	timeout       time.Duration
}

// migrateKeys yields the position of the key, or those of the keys after KEYS, for which the key must be empty.
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

// migrateKeysAt returns the position of KEYS, 0 if it is missing. Passwords may look like KEYS.
func migrateKeysAt(args [][]byte) int {
	for i := 6; i < len(args); i++ {
		switch {
		case command.EqualFold(args[i], "keys"):
			return i
		case command.EqualFold(args[i], "auth"):
			i++
		case command.EqualFold(args[i], "auth2"):
			i += 2
		}
	}
	return 0
}

// migrateSecrets says which arguments are passwords. All arguments after KEYS are keys.
var migrateSecrets = &command.Secrets{From: 6, Options: []command.Option{
	{Word: "auth", Values: 1, Secret: true},
	{Word: "auth2", Values: 2, Secret: true},
	{Word: "keys", Values: math.MaxInt},
}}

// migrate implements MIGRATE host port key destination-db timeout [COPY] [REPLACE] [AUTH ...] [KEYS ...]. It replies
// NOKEY without connecting if no key exists. If the target replies an error, so does MIGRATE, with the text of the
// first one; keys that the target has stored are deleted here all the same.
func migrate(c *command.Call) resp.Value {
	m, err := parseMigration(c)
	if err != nil {
		return c.Fail(err)
	}
	commands := m.restores(c, m.preamble(c))
	if len(m.keys) == 0 {
		return resp.Status("NOKEY")
	}
	if c.Tx.MayRestart() { // what the target has stored cannot be taken back
		c.Tx.Restart()
		return resp.None
	}
	target, err := dialTarget(c.Env(), c.Arg(1), c.Arg(2), m.timeout)
	if err != nil {
		return c.Fail(err)
	}
	defer target.close()
	if err = target.send(commands); err == nil {
		err = m.readReplies(c, target)
	}
	if err != nil {
		return c.Fail(err)
	}
	return resp.OK
}

// parseMigration parses the call. Options are checked before the timeout and the database, as in Redis.
func parseMigration(c *command.Call) (m migration, err error) {
	if err = migrateOptions(c, &m); err != nil {
		return m, err
	}
	timeout, err := c.Int(5)
	if err != nil {
		return m, err
	}
	m.timeout = stepTimeout(timeout)
	_, err = c.Int(4)
	return m, err
}

// migrateOptions parses the arguments after the timeout and sets the keys.
func migrateOptions(c *command.Call, m *migration) error {
	m.keys = c.Args[3:4]
	for i := 6; i < c.Len(); i++ {
		switch more := c.Len() - 1 - i; {
		case c.Is(i, "copy"):
			m.copy = true
		case c.Is(i, "replace"):
			m.replace = true
		case c.Is(i, "auth") && more >= 1:
			m.auth = c.Args[i+1 : i+2]
			i++
		case c.Is(i, "auth2") && more >= 2:
			m.auth = c.Args[i+1 : i+3]
			i += 2
		// With KEYS the third argument must be empty.
		case c.Is(i, "keys") && len(c.Arg(3)) > 0:
			return errMigrateKeys
		case c.Is(i, "keys"):
			m.keys = c.Rest(i + 1)
			return nil
		default:
			return command.ErrSyntax
		}
	}
	return nil
}

// preamble returns the commands that precede RESTORE: AUTH, and SELECT of the database.
func (m *migration) preamble(c *command.Call) (commands []byte) {
	if m.auth != nil {
		commands = resp.AppendCommand(nil, append([][]byte{[]byte("AUTH")}, m.auth...)...)
	}
	return resp.AppendCommand(commands, []byte("SELECT"), c.Arg(4))
}

// restores appends a RESTORE for each key that exists and drops all others from m.keys.
func (m *migration) restores(c *command.Call, commands []byte) []byte {
	var found [][]byte
	for _, key := range m.keys {
		e := c.Tx.Lookup(key, store.ForRead)
		if !e.Exists() {
			continue
		}
		found = append(found, key)
		payload := dump.Encode(e.Value(), c.Env().Table.Server.RDB, c.Env().Store.Thresholds())
		args := [][]byte{[]byte(restoreName(c)), key, remainingTTL(c.Tx, e), payload}
		if m.replace {
			args = append(args, []byte("REPLACE"))
		}
		commands = resp.AppendCommand(commands, args...)
	}
	m.keys = found
	return commands
}

// restoreName is the command by which the target stores a key: a node of a cluster may store those of a slot that moves
// to it.
func restoreName(c *command.Call) string {
	if c.Env().Cluster != nil {
		return "RESTORE-ASKING"
	}
	return "RESTORE"
}

// remainingTTL returns the time to live of a key in ms, as RESTORE takes it: 0 means no expiry, so it is at least 1. It
// is relative, so that the clocks of both servers need not agree.
func remainingTTL(tx *store.Tx, e store.Entry) []byte {
	when, ok := e.ExpireAt()
	if !ok {
		return []byte("0")
	}
	return strconv.AppendInt(nil, max(1, when-tx.Now()), 10)
}

// readReplies reads the replies and deletes each key that was stored, unless COPY is given. An error reply wins over
// a broken connection; the first one is returned after all replies were read.
func (m *migration) readReplies(c *command.Call, target *migrateTarget) error {
	errText, err := m.readPreamble(target)
	if err != nil {
		return err
	}
	// If AUTH or SELECT failed, no key is deleted, whatever the reply to RESTORE.
	kept := m.copy || errText != ""
	var deleted [][]byte
	defer func() {
		if len(deleted) > 0 && c.Propagates() {
			c.PropagateAs("DEL", deleted...)
		}
	}()
	for _, key := range m.keys {
		text, err := target.reply()
		switch {
		case err != nil && errText == "":
			return err
		case err != nil:
			return errFromTarget(errText)
		case text == "" && !kept:
			c.Tx.Delete(key)
			c.Changed(key, store.EventGeneric, "del")
			deleted = append(deleted, key)
		case errText == "":
			errText = text
		}
	}
	if errText != "" {
		return errFromTarget(errText)
	}
	return nil
}

// readPreamble reads the replies to the preamble.
func (m *migration) readPreamble(target *migrateTarget) (errText string, err error) {
	if m.auth != nil {
		if errText, err = target.reply(); err != nil {
			return "", err
		}
	}
	selected, err := target.reply()
	if errText == "" {
		errText = selected
	}
	return errText, err
}

// errFromTarget is the error for an error reply of the target.
func errFromTarget(text string) error {
	return errors.New("ERR Target instance replied with error: " + text)
}
