package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// defaultUser is the only user there is. It may do everything.
const defaultUser = "default"

var aclCommand = Command{Name: "acl", Arity: -2, Since: "6.0.0", Summary: "Commands about users and what they may do.", Sub: []Command{
	{Name: "cat", Usage: "[category]", Arity: -2, Flags: connecting, Since: "6.0.0",
		Summary: "Lists the categories of commands, or the commands of one.", Run: aclCat},
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "6.0.0",
		Summary: "Lists the subcommands.", Run: help},
	{Name: "users", Arity: 2, Flags: operating, Since: "6.0.0", Summary: "Lists the users.", Run: aclUsers},
	{Name: "whoami", Arity: 2, Flags: connecting, Since: "6.0.0",
		Summary: "Tells the connection's user.", Run: aclWhoAmI},
}}

func aclWhoAmI(*Call) resp.Value { return resp.BulkString(defaultUser) }

func aclUsers(*Call) resp.Value { return resp.Strings([]string{defaultUser}) }

// aclCat lists the categories, or the commands of one.
func aclCat(c *Call) resp.Value {
	switch {
	case c.Len() > 3:
		return c.Fail(errSubcommandArity(c))
	case c.Len() == 2:
		return resp.Strings(categories)
	case !slices.Contains(categories, strings.ToLower(string(c.Arg(2)))):
		return c.Fail(fmt.Errorf("ERR Unknown category '%s'", c.Arg(2)))
	}
	return c.Env().Table.listed(func(cmd *Command) bool { return cmd.inCategory(string(c.Arg(2))) })
}
