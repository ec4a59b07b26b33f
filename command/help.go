package command

import (
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// Help is the handler of a container's subcommand HELP: it lists the subcommands with their usage and summary.
func Help(c *Call) resp.Value {
	container := c.Env().Table.Get(c.Cmd.container.Name)
	title := strings.ToUpper(container.Name) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"
	lines := []resp.Value{resp.Status(title)}
	for i := range container.Sub {
		sub := &container.Sub[i]
		usage := strings.TrimSpace(strings.ToUpper(sub.Name) + " " + sub.Usage)
		lines = append(lines, resp.Status(usage), resp.Status("    "+sub.Summary))
	}
	return resp.Array(lines...)
}
