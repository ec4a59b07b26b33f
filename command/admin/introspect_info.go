package admin

// COMMAND and COMMAND INFO. Cluster clients and proxies find keys by this reply, so compat_test compares it with that
// of a real server, command by command.

import (
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

// commandAll describes all commands: COMMAND.
func commandAll(c *command.Call) resp.Value { return commandInfos(c, c.Env().Table.All()) }

// commandInfo describes commands in the order of the names: COMMAND INFO [command-name [command-name ...]]. A name may
// be that of a subcommand, "config|get". Without names it has all commands.
func commandInfo(c *command.Call) resp.Value { return commandInfos(c, commandsNamed(c, 2)) }

// commandInfos returns an entry for each command, null for nil.
func commandInfos(c *command.Call, cmds []*command.Command) resp.Value {
	infos := make([]resp.Value, len(cmds))
	for i, cmd := range cmds {
		infos[i] = resp.Null
		if cmd != nil {
			infos[i] = commandFields(c.Env().Table.Server, cmd)
		}
	}
	return resp.Array(infos...)
}

// commandFields returns the entry of COMMAND INFO: name, arity, flags, first key, last key, step, ACL categories,
// tips, key specifications and subcommands. The positions of keys are 0 if no range describes them.
func commandFields(s *emulate.Server, c *command.Command) resp.Value {
	subs := make([]resp.Value, len(c.Sub))
	for i := range c.Sub {
		subs[i] = commandFields(s, &c.Sub[i])
	}
	categories := make([]string, len(c.ACLCategories()))
	for i, category := range c.ACLCategories() {
		categories[i] = "@" + category
	}
	subReplies := resp.Array(subs...)
	if len(subs) == 0 && !s.Does(emulate.NoSubcommandsInArray) {
		subReplies = resp.Set()
	}
	first, last, step := c.KeyRange()
	return resp.Array(resp.BulkString(c.FullName()), resp.Int(int64(c.Arity)), statusSet(c.Flags.Names()),
		resp.Int(int64(first)), resp.Int(int64(last)), resp.Int(int64(step)),
		statusSet(categories), resp.Set(resp.Strings(strings.Fields(c.Tips)).Elems()...),
		resp.Set(keySpecReplies(c)...), subReplies)
}

// keySpecReplies returns the key specifications of a command.
func keySpecReplies(c *command.Command) []resp.Value {
	specs := c.KeySpecs()
	replies := make([]resp.Value, len(specs))
	for i := range specs {
		replies[i] = keySpecReply(&specs[i])
	}
	return replies
}

// statusSet returns a set of status replies, which is how Redis sends flags; in RESP2 it is an array.
func statusSet(words []string) resp.Value {
	elems := make([]resp.Value, len(words))
	for i, word := range words {
		elems[i] = resp.Status(word)
	}
	return resp.Set(elems...)
}
