package admin

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

func commandAll(c *command.Call) resp.Value { return commandInfos(c.Env().Table.All()) }

func commandInfo(c *command.Call) resp.Value { return commandInfos(commandsNamed(c, 2)) }

func commandInfos(cmds []*command.Command) resp.Value {
	infos := make([]resp.Value, len(cmds))
	for i, cmd := range cmds {
		infos[i] = resp.Null
		if cmd != nil {
			infos[i] = commandFields(cmd)
		}
	}
	return resp.Array(infos...)
}

// commandFields is the entry of COMMAND INFO: name, arity, flags, first and last key, step, ACL categories, tips, key
// specifications and subcommands.
func commandFields(c *command.Command) resp.Value {
	subs := make([]resp.Value, len(c.Sub))
	for i := range c.Sub {
		subs[i] = commandFields(&c.Sub[i])
	}
	categories := make([]string, len(c.ACLCategories()))
	for i, category := range c.ACLCategories() {
		categories[i] = "@" + category
	}
	first, last, step := c.KeyRange()
	return resp.Array(resp.BulkString(c.FullName()), resp.Int(int64(c.Arity)), statusSet(c.Flags.Names()),
		resp.Int(int64(first)), resp.Int(int64(last)), resp.Int(int64(step)),
		statusSet(categories), resp.Set(resp.Strings(strings.Fields(c.Tips)).Elems()...),
		resp.Set(keySpecReplies(c)...), resp.Set(subs...))
}

func keySpecReplies(c *command.Command) []resp.Value {
	specs := c.KeySpecs()
	replies := make([]resp.Value, len(specs))
	for i := range specs {
		replies[i] = keySpecReply(&specs[i])
	}
	return replies
}

// statusSet is a set of status replies.
func statusSet(words []string) resp.Value {
	elems := make([]resp.Value, len(words))
	for i, word := range words {
		elems[i] = resp.Status(word)
	}
	return resp.Set(elems...)
}
