package control

// TEST.* saves, restores, resets, prints and checks the state of the server. What the state is, state_parts.go says.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var testCommands = []command.Command{
	{Name: "test.check", Arity: 1, Flags: changes, Since: since,
		Summary: "Checks the invariants of the server: OK, or an error that says what is wrong.", Run: testCheck},
	{Name: "test.dump", Arity: 1, Flags: changes, Since: since,
		Summary: "Returns all keys of all databases as text.", Run: testDump},
	{Name: "test.reset", Usage: "[CLIENTS]", Arity: -1, Flags: changes, Since: since,
		Summary: "Puts the server into the state of its start; with CLIENTS, closes all other connections.", Run: testReset},
	{Name: "test.restore", Usage: "name", Arity: 2, Flags: changes, Since: since,
		Summary: "Puts the server into the state that TEST.SNAPSHOT has saved.", Run: testRestore},
	{Name: "test.snapshot", Usage: "name", Arity: 2, Flags: changes, Since: since,
		Summary: "Saves the state of the server under a name.", Run: testSnapshot},
}

var errResetOption = errors.New("ERR TEST.RESET only supports the CLIENTS option")

// testSnapshot implements TEST.SNAPSHOT name. A snapshot of that name is replaced.
func testSnapshot(c *command.Call) resp.Value {
	h, name := hooksOf(c), string(c.Arg(1))
	return c.Background(func() resp.Value {
		h.keep(name, h.Snapshot())
		return resp.OK
	})
}

// testRestore implements TEST.RESTORE name.
func testRestore(c *command.Call) resp.Value {
	h, name := hooksOf(c), string(c.Arg(1))
	s, err := h.kept(name)
	if err != nil {
		return c.Fail(err)
	}
	return c.Background(func() resp.Value { return okOr(h.Restore(s)) })
}

// testReset implements TEST.RESET [CLIENTS]. The other connections are closed first, so that what they have sent does
// not run afterwards.
func testReset(c *command.Call) resp.Value {
	closeOthers := c.Is(1, "clients")
	if c.Len() > 2 || c.Len() == 2 && !closeOthers {
		return c.Fail(errResetOption)
	}
	h, self := hooksOf(c), c.Session
	return c.Background(func() resp.Value {
		if closeOthers {
			h.CloseClients(self)
		}
		h.Reset()
		return resp.OK
	})
}

// testDump implements TEST.DUMP.
func testDump(c *command.Call) resp.Value {
	h := hooksOf(c)
	return c.Background(func() resp.Value { return resp.BulkString(h.Dump()) })
}

// testCheck implements TEST.CHECK.
func testCheck(c *command.Call) resp.Value {
	h := hooksOf(c)
	return c.Background(func() resp.Value { return okOr(h.Check()) })
}

// okOr returns the error as a reply, OK for nil.
func okOr(err error) resp.Value {
	if err != nil {
		return resp.Error(err.Error())
	}
	return resp.OK
}
