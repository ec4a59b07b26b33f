package command

import "github.com/minilockd/minilockd/internal/resp"

var monitorCommands = []Command{
	{Name: "monitor", Arity: 1, Flags: operating, Since: "1.0.0",
		Summary: "Shows every command that the server runs, as it runs.", Run: monitor},
}

func monitor(c *Call) resp.Value {
	v, err := c.Monitor()
	return c.failOr(err, v)
}
