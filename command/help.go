package command

import (
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// Help lists the subcommands of a container from the table.
func Help(c *Call) resp.Value {
	container := c.Env().Table.Get(c.Cmd.container.Name)
	lines := []resp.Value{resp.Status(strings.ToUpper(container.Name) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")}
	for i := range container.Sub {
		sub := &container.Sub[i]
		lines = append(lines, resp.Status(strings.TrimSpace(strings.ToUpper(sub.Name)+" "+sub.Usage)), resp.Status("    "+sub.Summary))
	}
	return resp.Array(lines...)
}
