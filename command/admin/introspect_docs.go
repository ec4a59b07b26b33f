package admin

// COMMAND DOCS. redis-cli makes its hints, and help, from this reply. The arguments are not written down a second
// time: they are parsed from the usage line of the row (package usage), which is also what HELP and docs/commands.md
// show.

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/usage"
)

// commandDocs returns a map from names to documentation: COMMAND DOCS [command-name [command-name ...]]. Without names
// it has all commands. Unknown names are left out.
func commandDocs(c *command.Call) resp.Value {
	var replies []resp.Value
	for _, cmd := range commandsNamed(c, 2) {
		if cmd != nil {
			replies = append(replies, resp.BulkString(cmd.FullName()), docs(cmd))
		}
	}
	return resp.Map(replies...)
}

// docs returns the documentation of a command, with that of its subcommands. Fields that the row does not have, such
// as complexity and history, are left out; Redis leaves them out as well if a command has none.
func docs(c *command.Command) resp.Value {
	doc := []resp.Value{
		resp.BulkString("summary"), resp.BulkString(c.Summary),
		resp.BulkString("since"), resp.BulkString(c.Since),
		resp.BulkString("group"), resp.BulkString(c.Group),
	}
	if c.Module != "" {
		doc = append(doc, resp.BulkString("module"), resp.BulkString(c.Module))
	}
	if args := usage.Parse(c.Usage); len(args) > 0 {
		d := argumentDocs{specs: len(c.KeySpecs())}
		doc = append(doc, resp.BulkString("arguments"), d.list(args))
	}
	if len(c.Sub) > 0 {
		var subs []resp.Value
		for i := range c.Sub {
			subs = append(subs, resp.BulkString(c.Sub[i].FullName()), docs(&c.Sub[i]))
		}
		doc = append(doc, resp.BulkString("subcommands"), resp.Map(subs...))
	}
	return resp.Map(doc...)
}

// argumentDocs writes the arguments of one command. It gives the key specifications of the command to the arguments
// that are keys, in turn; the last one to all further keys.
type argumentDocs struct {
	specs, used int
}

// list returns arguments in their order.
func (d *argumentDocs) list(args []usage.Argument) resp.Value {
	elems := make([]resp.Value, len(args))
	for i, a := range args {
		elems[i] = d.one(a)
	}
	return resp.Array(elems...)
}

// one returns an argument: name, type, key specification, token, flags, and for a oneof or a block the arguments
// within.
func (d *argumentDocs) one(a usage.Argument) resp.Value {
	doc := []resp.Value{resp.BulkString("name"), resp.BulkString(a.Name), resp.BulkString("type"),
		resp.BulkString(a.Kind)}
	if a.Kind == "key" && d.specs > 0 {
		doc = append(doc, resp.BulkString("key_spec_index"), resp.Int(int64(min(d.used, d.specs-1))))
		d.used++
	}
	if a.Token != "" {
		doc = append(doc, resp.BulkString("token"), resp.BulkString(a.Token))
	}
	if marks := marks(&a); marks != nil {
		doc = append(doc, resp.BulkString("flags"), statusSet(marks))
	}
	if a.Args != nil {
		doc = append(doc, resp.BulkString("arguments"), d.list(a.Args))
	}
	return resp.Map(doc...)
}

// marks returns the flags of an argument; nil for none, since the field is then left out.
func marks(a *usage.Argument) []string {
	var marks []string
	if a.Optional {
		marks = append(marks, "optional")
	}
	if a.Multiple {
		marks = append(marks, "multiple")
	}
	if a.MultipleToken {
		marks = append(marks, "multiple_token")
	}
	return marks
}
