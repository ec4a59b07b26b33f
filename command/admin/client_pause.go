package admin

// CLIENT PAUSE and CLIENT UNPAUSE. What a pause stops, and how the stopped calls go on, is in command/pause.go.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
)

// pauseCommands are subcommands of CLIENT.
var pauseCommands = []command.Command{
	{Name: "pause", Usage: "timeout [WRITE | ALL]", Arity: -3, Flags: adminFlags, Since: "3.0.0",
		Summary: "Lets the commands of all clients wait, or those that write.", Run: clientPause},
	{Name: "unpause", Arity: 2, Flags: adminFlags, Since: "6.2.0",
		Summary: "Ends CLIENT PAUSE.", Run: clientUnpause},
}

var (
	errPauseMode    = errors.New("ERR CLIENT PAUSE mode must be WRITE or ALL")
	errPauseTimeout = errors.New("ERR timeout is not an integer or out of range")
)

// clientPause stops the commands of all clients for a number of milliseconds: CLIENT PAUSE timeout [WRITE | ALL]. The
// default is ALL; WRITE stops only what could change the data of a replica. The reply comes at once. A second pause
// may extend the first one and add to it, but never shortens it.
func clientPause(c *command.Call) resp.Value {
	scope := command.PauseAll
	switch writes, err := clientMode(c, "write", "all", errPauseMode); {
	case err != nil:
		return c.Fail(err)
	case writes:
		scope = command.PauseWrites
	}
	ms, ok := num.ParseInt(c.Arg(2))
	switch {
	case !ok:
		return c.Fail(errPauseTimeout)
	case ms < 0:
		return c.Fail(command.ErrTimeoutNegative)
	}
	c.Pause(scope, ms)
	return resp.OK
}

// clientUnpause ends the pause, and all stopped commands run: CLIENT UNPAUSE. With CLIENT PAUSE ALL no client can send
// it before the pause has ended, as in Redis: it is stopped, too.
func clientUnpause(c *command.Call) resp.Value {
	c.Env().Unpause()
	return resp.OK
}
