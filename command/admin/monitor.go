package admin

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

var monitorCommands = []command.Command{
	{Name: "monitor", Arity: 1, Flags: adminFlags, Since: "1.0.0",
		Summary: "Shows every command that the server runs, as it runs.", Run: monitor},
}

func monitor(c *command.Call) resp.Value {
	v, err := c.Monitor()
	return c.FailOr(err, v)
}
