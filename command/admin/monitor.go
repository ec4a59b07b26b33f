package admin

// MONITOR. The lines and the set of monitoring sessions are in command/monitor.go, since each call of the core feeds
// them.

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var monitorCommands = []command.Command{
	{Name: "monitor", Arity: 1, Flags: adminFlags, Since: "1.0.0",
		Summary: "Shows every command that the server runs, as it runs.", Run: monitor},
}

// monitor makes the connection get a line for each call that the server runs: MONITOR. A second MONITOR has no reply,
// as in Redis. Within EXEC it is an error. From then on commands that use keys, publish a message or run a script are
// errors, too.
func monitor(c *command.Call) resp.Value {
	v, err := c.Monitor()
	return c.FailOr(err, v)
}
