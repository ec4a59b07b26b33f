package acl

import (
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
)

// Command is what rules know about a command. Package command makes one for each row.
type Command struct {
	Name       string // with that of the container: "config|get"
	Sub        []*Command
	Categories []string
	Argument   int  // position of the first argument: behind the name, and behind that of a subcommand
	Exempt     bool // every client may call it, whatever the rules say: AUTH, HELLO, …

	number int
}

// Commands are a server's commands, each with a number. It does not change, and is safe for concurrent use.
type Commands struct {
	server     *emulate.Server
	categories []string
	containers []*Command // without subcommands
	all        []*Command // each container before its subcommands
	byName     map[string]*Command
}

// NewCommands numbers the commands of a server. The categories are listed in the order in which a user's rules prefer
// them.
func NewCommands(server *emulate.Server, categories []string, commands []*Command) *Commands {
	c := &Commands{server: server, categories: categories, containers: commands, byName: make(map[string]*Command)}
	for _, cmd := range commands {
		c.add(cmd)
		for _, sub := range cmd.Sub {
			c.add(sub)
		}
	}
	return c
}

// add gives a command the next number, which is its bit in a commandSet. Rules name commands in any letter case.
func (c *Commands) add(cmd *Command) {
	cmd.number = len(c.all)
	c.all = append(c.all, cmd)
	c.byName[strings.ToLower(cmd.Name)] = cmd
}
