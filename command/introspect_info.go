package command

import (
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

func commandAll(c *Call) resp.Value { return commandInfos(c.Env().Table.All()) }

func commandInfo(c *Call) resp.Value { return commandInfos(c.named(2)) }

func commandInfos(cmds []*Command) resp.Value {
	infos := make([]resp.Value, len(cmds))
	for i, cmd := range cmds {
		infos[i] = resp.Null
		if cmd != nil {
			infos[i] = cmd.info()
		}
	}
	return resp.Array(infos...)
}

// info is the entry of COMMAND INFO: name, arity, flags, first and last key, step, ACL categories, tips, key specifications
// and subcommands.
func (c *Command) info() resp.Value {
	subs := make([]resp.Value, len(c.Sub))
	for i := range c.Sub {
		subs[i] = c.Sub[i].info()
	}
	categories := c.categories()
	for i := range categories {
		categories[i] = "@" + categories[i]
	}
	first, last, step := c.keyRange()
	return resp.Array(resp.BulkString(c.FullName()), resp.Int(int64(c.Arity)), statusSet(c.flagNames()),
		resp.Int(int64(first)), resp.Int(int64(last)), resp.Int(int64(step)),
		statusSet(categories), resp.Set(resp.Strings(strings.Fields(c.Tips)).Elems()...),
		resp.Set(c.keySpecReplies()...), resp.Set(subs...))
}

func (c *Command) flagNames() []string {
	var names []string
	for _, f := range flagNames {
		if c.Flags.has(f.flag) {
			names = append(names, f.name)
		}
	}
	return names
}

func (c *Command) keySpecReplies() []resp.Value {
	specs := c.keySpecs()
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
