package command

import (
	"slices"
	"strings"
)

// argument is one node of what COMMAND DOCS tells about a command's arguments.
type argument struct {
	name, kind, token                 string // kind is Redis' type: key, string, integer, …, pure-token, oneof, block
	optional, multiple, multipleToken bool
	args                              []argument // of a oneof or block
}

// parseUsage reads Command.Usage, which is in the notation of redis-cli's HELP:
//
//	key            a value that the caller gives; its name tells its type
//	NX             a word to be written as it is (a token)
//	EX seconds     a token and what follows it
//	[…]            may be left out
//	a | b          one of them, between brackets of either kind
//	<a | b>        the same where it may not be left out; a | b without brackets is that, too
//	a [a …]        once or several times; also a …
func parseUsage(usage string) []argument {
	p := usageParser{words: usageWords(usage)}
	return p.sequence("")
}

// usageWords splits at blanks and keeps brackets and bars apart.
func usageWords(usage string) []string {
	for _, mark := range []string{"[", "]", "<", ">", "|"} {
		usage = strings.ReplaceAll(usage, mark, " "+mark+" ")
	}
	return strings.Fields(usage)
}

type usageParser struct {
	words []string
	again bool // the sequence just read ended with "..."
}

func (p *usageParser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *usageParser) next() string {
	word := p.peek()
	p.words = p.words[min(1, len(p.words)):]
	return word
}

// sequence reads arguments up to the closing bracket or a bar within brackets, and leaves that where it is.
func (p *usageParser) sequence(closing string) []argument {
	var args []argument
	p.again = false
	for word := p.peek(); word != "" && word != closing && (word != "|" || closing == ""); word = p.peek() {
		p.next()
		switch word {
		case "...":
			if p.peek() == closing && closing != "" {
				p.again = true
				return args
			}
			args[len(args)-1].multiple = true
		case "|":
			last := args[len(args)-1]
			args[len(args)-1] = oneOf([]argument{last, p.operand(last)})
		case "[":
			args = p.bracket(args)
		case "<":
			args = append(args, p.group(">"))
		default:
			args = append(args, p.word(word))
		}
	}
	return args
}

// operand reads what stands behind a bar without brackets: as much as stood before it.
func (p *usageParser) operand(before argument) argument {
	word := p.next()
	if before.kind == pureToken {
		return plain(word)
	}
	return p.word(word)
}

// bracket reads what may be left out. Where it is a repetition of the arguments before it, these become multiple.
func (p *usageParser) bracket(before []argument) []argument {
	content := p.alternatives("]")
	again := p.again
	p.again = false
	n := len(content)
	if again && n <= len(before) && sameNames(content, before[len(before)-n:]) {
		arg := block(slices.Clone(before[len(before)-n:]))
		arg.multiple, arg.multipleToken = true, content[0].token != ""
		return append(before[:len(before)-n], arg)
	}
	arg := block(content)
	arg.optional, arg.multiple = true, arg.multiple || again
	return append(before, arg)
}

func sameNames(a, b []argument) bool {
	return slices.EqualFunc(a, b, func(x, y argument) bool { return x.name == y.name })
}

func (p *usageParser) group(closing string) argument { return block(p.alternatives(closing)) }

// alternatives reads up to the closing bracket and consumes it: one sequence, or a oneof.
func (p *usageParser) alternatives(closing string) []argument {
	var found []argument
	for {
		args := p.sequence(closing)
		if p.next() != "|" {
			if found == nil {
				return args
			}
			return []argument{oneOf(append(found, block(args)))}
		}
		found = append(found, block(args))
	}
}

// word makes an argument of a name, or of a token and the names behind it.
func (p *usageParser) word(word string) argument {
	if !isToken(word) {
		return plain(word)
	}
	var args []argument
	for isName(p.peek()) {
		args = append(args, plain(p.next()))
	}
	if args == nil && p.peek() == "<" {
		p.next()
		args = []argument{p.group(">")}
	}
	if args == nil {
		return plain(word)
	}
	arg := block(args)
	arg.token = word
	return arg
}

func isName(word string) bool {
	return word != "" && word != "..." && !strings.Contains("[]<>|", word) && !isToken(word)
}

// isToken reports whether a word has no small letter: NX, LIB-NAME, *, ~, =.
func isToken(word string) bool {
	return word != "..." && !strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz")
}

const pureToken = "pure-token"

// plain is the argument that a single word stands for.
func plain(word string) argument {
	if isToken(word) {
		return argument{name: tokenName(word), kind: pureToken, token: word}
	}
	return argument{name: word, kind: kindOf(word)}
}

func tokenName(token string) string {
	switch token {
	case "*":
		return "auto-id"
	case "=":
		return "equal"
	case "~":
		return "approximately"
	}
	return strings.ToLower(token)
}

// block makes one argument of several.
func block(args []argument) argument {
	if len(args) == 1 {
		return args[0]
	}
	return argument{name: joinedNames(args), kind: "block", args: args}
}

// oneOf joins alternatives; those of alternatives without brackets join theirs.
func oneOf(args []argument) argument {
	if first := args[0]; first.kind == "oneof" && first.token == "" && !first.optional {
		args = append(first.args[:len(first.args):len(first.args)], args[1:]...)
	}
	return argument{name: joinedNames(args), kind: "oneof", args: args}
}

func joinedNames(args []argument) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.name
	}
	return strings.Join(names, "_")
}

// kindsByName are the types of arguments, which in this notation their names tell.
var kindsByName = map[string][]string{
	"key":       {"key", "key1", "key2", "newkey", "source", "destination", "destkey", "dst", "src", "sourcekey"},
	"pattern":   {"pattern"},
	"unix-time": {"unix-time-seconds", "unix-time-milliseconds", "timestamp"},
	"double":    {"score", "longitude", "latitude", "radius", "width", "height", "weight"},
	"integer": {"bit", "bits", "client-id", "count", "cursor", "db", "decrement", "destination-db", "end", "entries-read", "id-or-count",
		"index", "index1", "index2", "iterations", "len", "limit", "max-idle-time", "maxlen", "milliseconds", "min-idle-time", "min-match-len",
		"num-matches", "numkeys", "numlocal", "numreplicas", "offset", "port", "protover", "rank", "seconds", "start", "stop",
		"timeout", "version"},
}

func kindOf(name string) string {
	for kind, names := range kindsByName {
		if slices.Contains(names, name) {
			return kind
		}
	}
	return "string"
}
