package compat

import (
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// call returns the results of a call.
func (r *scriptReader) call(e *ast.FuncCallExpr) []values {
	args := r.list(e.Args, len(e.Args))
	if e.Func == nil { // text:method()
		r.value(e.Receiver)
		return nil
	}
	object, name := member(e.Func)
	switch f := r.functions[name]; {
	case r.callsRedis(e.Func):
		return []values{r.redisCall(e, args)}
	case object == "" && f != nil:
		return r.enter(f, args)
	case object == "":
		return r.builtin(e, name, args)
	case object == "math":
		return []values{nonLiteral(values{}.with(slices.Concat(args...)...).mark(asNumber))}
	}
	return r.library(e, object+"."+name, args)
}

// callsRedis reports whether a function is redis.call, also under another name.
func (r *scriptReader) callsRedis(f ast.Expr) bool {
	return slices.ContainsFunc(r.value(f), func(n *node) bool { return n.kind == commandNode })
}

// enter calls a function of the script. Its statements are read where it is defined.
func (r *scriptReader) enter(f *ast.FunctionExpr, args []values) []values {
	if f.ParList != nil {
		for i, name := range f.ParList.Names {
			if i < len(args) {
				r.set(f, name, args[i])
			}
		}
	}
	return r.returns[f]
}

func (r *scriptReader) builtin(e *ast.FuncCallExpr, name string, args []values) []values {
	if len(args) == 0 {
		return nil
	}
	switch name {
	case "tonumber":
		return []values{args[0].mark(asNumber)}
	case "tostring", "assert":
		return args
	case "ipairs", "pairs":
		return []values{args[0].elements((*node).every)}
	case "unpack":
		return []values{r.unpack(e, args)}
	}
	return nil
}

// unpack returns all elements from the index in the second argument.
func (r *scriptReader) unpack(e *ast.FuncCallExpr, args []values) values {
	start, known := 1, true
	if len(args) > 1 {
		args[1].mark(asCount)
		if start, known = number(e.Args[1]); !known {
			start, _, known = r.looped(e.Args[1])
		}
	}
	return args[0].elements(func(n *node) values {
		if n.kind == rootNode && known {
			return n.loopElement(start+r.shift(n), 1)
		}
		return n.every()
	})
}

// library calls a function of a Lua library.
func (r *scriptReader) library(e *ast.FuncCallExpr, name string, args []values) []values {
	if len(args) == 0 {
		return nil
	}
	switch name {
	case "table.insert":
		for _, n := range args[0] {
			if n.kind == tableNode {
				n.rest = n.rest.with(args[len(args)-1]...)
			}
		}
	case "table.remove":
		return []values{r.remove(args)}
	case "struct.pack":
		r.pack(args)
	case "struct.unpack":
		if len(args) > 1 {
			return unpackStruct(args[0], args[1])
		}
	case "cjson.decode":
		return []values{args[0].mark(asJSON)}
	case "cmsgpack.unpack":
		return []values{args[0].mark(asMessage)}
	case "string.sub", "string.match", "string.lower", "string.upper":
		return args[:1] // approximately: a part of the string
	}
	return nil
}

// remove is table.remove. Redisson removes named arguments from the front of ARGV by it.
func (r *scriptReader) remove(args []values) values {
	if len(args) < 2 || len(args[0]) != 1 || args[0][0] != r.plan.args {
		return args[0].elements((*node).every)
	}
	if i, ok := args[1].text(); !ok || i != "1" {
		return args[0].elements((*node).every)
	}
	r.removed++
	return r.plan.args.element(r.shifted(r.plan.args, "0"))
}

// pack marks the arguments of struct.pack that are numbers.
func (r *scriptReader) pack(args []values) {
	format, _ := args[0].text()
	for i, letter := range structLetters(format) {
		if letter != 's' && i+1 < len(args) {
			args[i+1].mark(asNumber)
		}
	}
}

// unpackStruct returns the results of struct.unpack.
func unpackStruct(format, packed values) []values {
	text, ok := format.text()
	if !ok {
		return nil
	}
	var parts []values
	for i, letter := range structResults(text) {
		part := packed.elements(func(n *node) values { return n.element(structPart(text, i)) })
		if letter != 's' {
			part.mark(asNumber)
		}
		parts = append(parts, part)
	}
	for _, n := range packed {
		if !slices.Contains(n.formats, text) {
			n.formats = append(n.formats, text)
		}
	}
	return parts
}

// redisCall follows the arguments of a command. Its name may be one of several, or an argument.
func (r *scriptReader) redisCall(e *ast.FuncCallExpr, args []values) values {
	if len(args) == 0 {
		return nil
	}
	var replies values
	for _, n := range args[0] {
		name := n.text
		if n.kind != literalNode {
			n.command = fittingCommand(e, args)
			name = n.command
		}
		name = strings.ToUpper(name)
		r.plan.commands[name] = true
		replies = replies.with(r.command(e, name, args[1:])...)
	}
	return replies
}

// fittingCommand guesses the command that an argument names.
func fittingCommand(e *ast.FuncCallExpr, args []values) string {
	for _, arg := range args {
		if text, _ := arg.text(); text == "fields" {
			return "HPEXPIRE"
		}
	}
	if len(args) == 2 && givesMany(e.Args[1]) {
		return "DEL"
	}
	return "PUBLISH"
}

// command follows the arguments of one command and returns its reply.
func (r *scriptReader) command(e *ast.FuncCallExpr, name string, args []values) values {
	if keys, ok := manyKeys[name]; ok && len(args) > 0 {
		return r.commandOnMany(e, keys, args)
	}
	c, ok := keyCommands[name]
	if !ok || len(args) == 0 {
		return nil
	}
	r.useKey(args[0], c.kind)
	rest := args[1:]
	for len(rest) > 0 && isFlag(rest[0]) {
		rest = rest[1:]
	}
	var fields values
	for i, arg := range rest {
		if f := c.use(args[0], i, arg); f {
			fields = fields.with(arg...)
		}
	}
	markOptions(rest)
	return c.reply(r.node(e, tableNode), args[0], rest, fields)
}

// isFlag reports whether an argument stands between a key and scores.
func isFlag(v values) bool {
	text, _ := v.text()
	return slices.Contains([]string{"NX", "XX", "GT", "LT", "CH", "INCR"}, strings.ToUpper(text))
}

// markOptions marks the numbers after option names.
func markOptions(args []values) {
	for i, arg := range args[:max(len(args)-1, 0)] {
		word, _ := arg.text()
		args[i+1].mark(optionUses[strings.ToUpper(word)])
	}
}

var optionUses = map[string]use{"PX": asDuration, "EX": asDuration, "COUNT": asPage}

func (r *scriptReader) commandOnMany(e *ast.FuncCallExpr, keys keysOf, args []values) values {
	if keys.numbered >= 0 && keys.numbered < len(args) {
		args[keys.numbered].mark(asCount)
		args = slices.Concat(args[:keys.numbered], args[keys.numbered+1:])
	}
	for _, arg := range args {
		r.useKey(arg, keys.kind)
	}
	n := r.node(e, tableNode)
	for _, arg := range args {
		for _, key := range arg {
			n.rest = n.rest.with(key.part(elementPart), key.part(wholePart))
		}
	}
	return values{n}.with(n.rest...)
}

// useKey records that values name keys of a type.
func (r *scriptReader) useKey(v values, kind string) {
	for _, n := range v {
		if kind != "" && !slices.Contains(n.types, kind) {
			n.types = append(n.types, kind)
		}
		r.plan.keyNames = r.plan.keyNames.with(n)
	}
}
