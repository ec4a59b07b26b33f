package command

import (
	"fmt"

	"github.com/minilockd/minilockd/internal/resp"
)

// defaultUser is the only user there is. It may do everything.
const defaultUser = "default"

var aclCommand = Command{Name: "acl", Arity: -2, Since: "6.0.0", Summary: "A container for Access List Control commands.", Sub: []Command{
	{Name: "cat", Usage: "[category]", Arity: -2, Flags: connecting, Since: "6.0.0",
		Summary: "Lists the ACL categories, or the commands inside a category.", Run: aclCat},
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "6.0.0",
		Summary: "Returns helpful text about the different subcommands.", Run: help},
	{Name: "users", Arity: 2, Flags: operating, Since: "6.0.0", Summary: "Lists all ACL users.", Run: aclUsers},
	{Name: "whoami", Arity: 2, Flags: connecting, Since: "6.0.0",
		Summary: "Returns the authenticated username of the current connection.", Run: aclWhoAmI},
}}

func aclWhoAmI(*Call) resp.Value { return resp.BulkString(defaultUser) }

func aclUsers(*Call) resp.Value { return resp.Strings([]string{defaultUser}) }

// aclCat lists the commands of a category; a container's subcommands count, itself does not.
func aclCat(c *Call) resp.Value {
	switch {
	case c.Len() > 3:
		return c.Fail(errSubcommandArity(c))
	case c.Len() == 2:
		return resp.Strings(categories)
	case !isCategory(string(c.Arg(2))):
		return c.Fail(fmt.Errorf("ERR Unknown category '%s'", c.Arg(2)))
	}
	var names []resp.Value
	c.Env().Table.eachWithSubcommands(func(cmd *Command) {
		if cmd.Run != nil && cmd.inCategory(string(c.Arg(2))) {
			names = append(names, resp.BulkString(cmd.FullName()))
		}
	})
	return resp.Array(names...)
}
