package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// commandDocs answers a map of name and documentation; names that are no command's are left out.
func commandDocs(c *Call) resp.Value {
	var docs []resp.Value
	for _, cmd := range c.named(2) {
		if cmd != nil {
			docs = append(docs, resp.BulkString(cmd.FullName()), cmd.docs())
		}
	}
	return resp.Map(docs...)
}

// docs is what COMMAND DOCS tells, as far as the row has it: redis-cli's hints are made of it.
func (c *Command) docs() resp.Value {
	doc := []resp.Value{
		resp.BulkString("summary"), resp.BulkString(c.Summary),
		resp.BulkString("since"), resp.BulkString(c.Since),
		resp.BulkString("group"), resp.BulkString(c.Group),
	}
	if args := parseUsage(c.Usage); len(args) > 0 {
		d := argumentDocs{specs: len(c.keySpecs())}
		doc = append(doc, resp.BulkString("arguments"), d.list(args))
	}
	if len(c.Sub) > 0 {
		var subs []resp.Value
		for i := range c.Sub {
			subs = append(subs, resp.BulkString(c.Sub[i].FullName()), c.Sub[i].docs())
		}
		doc = append(doc, resp.BulkString("subcommands"), resp.Map(subs...))
	}
	return resp.Map(doc...)
}

// argumentDocs writes arguments. It gives the command's key specifications to the arguments that are keys, in turn.
type argumentDocs struct {
	specs, used int
}

func (d *argumentDocs) list(args []argument) resp.Value {
	elems := make([]resp.Value, len(args))
	for i, a := range args {
		elems[i] = d.one(a)
	}
	return resp.Array(elems...)
}

func (d *argumentDocs) one(a argument) resp.Value {
	doc := []resp.Value{resp.BulkString("name"), resp.BulkString(a.name), resp.BulkString("type"), resp.BulkString(a.kind)}
	if a.kind == "key" && d.specs > 0 {
		doc = append(doc, resp.BulkString("key_spec_index"), resp.Int(int64(min(d.used, d.specs-1))))
		d.used++
	}
	if a.token != "" {
		doc = append(doc, resp.BulkString("token"), resp.BulkString(a.token))
	}
	if marks := a.marks(); marks != nil {
		doc = append(doc, resp.BulkString("flags"), statusSet(marks))
	}
	if a.args != nil {
		doc = append(doc, resp.BulkString("arguments"), d.list(a.args))
	}
	return resp.Map(doc...)
}

func (a *argument) marks() []string {
	var marks []string
	if a.optional {
		marks = append(marks, "optional")
	}
	if a.multiple {
		marks = append(marks, "multiple")
	}
	if a.multipleToken {
		marks = append(marks, "multiple_token")
	}
	return marks
}
