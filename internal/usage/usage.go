// Package usage reads the usage of a command in the notation of redis-cli's HELP, for COMMAND DOCS. It is a part of the
// server, not an API.
package usage

import (
	"slices"
	"strings"
)

// Argument is one node of the arguments in COMMAND DOCS.
type Argument struct {
	Name, Kind, Token                 string // kind is Redis' type: key, string, integer, …, pure-token, oneof, block
	Optional, Multiple, MultipleToken bool
	Args                              []Argument // of a oneof or block
}

// Parse reads Command.Usage, which is in the notation of redis-cli's HELP:
//
//	key            a value that the caller gives; its type follows from its name (kindsByName)
//	NX             a word to be written as it is (a token)
//	EX seconds     a token and what follows it
//	[…]            may be left out
//	a | b          one of them, between brackets of either kind
//	<a | b>        the same where it may not be left out; a | b without brackets is that, too
//	a [a …]        once or several times; also a …
func Parse(usage string) []Argument {
	p := usageParser{words: usageWords(usage)}
	return p.sequence("")
}

// usageWords splits at blanks; each bracket and each | is a word of its own.
func usageWords(usage string) []string {
	for _, mark := range []string{"[", "]", "<", ">", "|"} {
		usage = strings.ReplaceAll(usage, mark, " "+mark+" ")
	}
	return strings.Fields(usage)
}

// usageParser reads the words of a usage from left to right. The usages are our own and tested, so it does not report
// errors in them.
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
func (p *usageParser) sequence(closing string) []Argument {
	var args []Argument
	p.again = false
	for word := p.peek(); word != "" && word != closing && (word != "|" || closing == ""); word = p.peek() {
		p.next()
		switch word {
		case "...":
			if p.peek() == closing && closing != "" {
				p.again = true
				return args
			}
			args[len(args)-1].Multiple = true
		case "|":
			last := args[len(args)-1]
			args[len(args)-1] = oneOf([]Argument{last, p.operand(last)})
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

// operand reads the right side of a | without brackets: a token if the left side is one, else a word with its
// arguments.
func (p *usageParser) operand(before Argument) Argument {
	word := p.next()
	if before.Kind == PureToken {
		return plain(word)
	}
	return p.word(word)
}

// bracket reads what may be left out. Where it is a repetition of the arguments before it, these become multiple.
func (p *usageParser) bracket(before []Argument) []Argument {
	content := p.alternatives("]")
	again := p.again
	p.again = false
	n := len(content)
	if again && n <= len(before) && sameNames(content, before[len(before)-n:]) {
		arg := block(slices.Clone(before[len(before)-n:]))
		arg.Multiple, arg.MultipleToken = true, content[0].Token != ""
		return append(before[:len(before)-n], arg)
	}
	arg := block(content)
	arg.Optional, arg.Multiple = true, arg.Multiple || again
	return append(before, arg)
}

func sameNames(a, b []Argument) bool {
	return slices.EqualFunc(a, b, func(x, y Argument) bool { return x.Name == y.Name })
}

func (p *usageParser) group(closing string) Argument { return block(p.alternatives(closing)) }

// alternatives reads up to the closing bracket and consumes it: one sequence, or a oneof.
func (p *usageParser) alternatives(closing string) []Argument {
	var found []Argument
	for {
		args := p.sequence(closing)
		if p.next() != "|" {
			if found == nil {
				return args
			}
			return []Argument{oneOf(append(found, block(args)))}
		}
		found = append(found, block(args))
	}
}

// word makes an argument of a name, or of a token and the names behind it.
func (p *usageParser) word(word string) Argument {
	if !isToken(word) {
		return plain(word)
	}
	var args []Argument
	for isName(p.peek()) {
		args = append(args, plain(p.next()))
	}
	if args == nil && p.peek() == "<" {
		p.next()
		args = []Argument{p.group(">")}
	}
	if args == nil {
		return plain(word)
	}
	arg := block(args)
	arg.Token = word
	return arg
}

func isName(word string) bool {
	return word != "" && word != "..." && !strings.Contains("[]<>|", word) && !isToken(word)
}

// isToken reports whether a word has no small letter: NX, LIB-NAME, *, ~, =.
func isToken(word string) bool {
	return word != "..." && !strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz")
}

// PureToken is the kind of an argument that is a word of its own, such as NX.
const PureToken = "pure-token"

// plain is the argument that a single word stands for.
func plain(word string) Argument {
	if isToken(word) {
		return Argument{Name: tokenName(word), Kind: PureToken, Token: word}
	}
	return Argument{Name: word, Kind: kindOf(word)}
}

// tokenName is the name of an argument that is a token: the token in small letters, but for the three signs, whose
// names are those of Redis in the arguments of XADD and XTRIM.
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
func block(args []Argument) Argument {
	if len(args) == 1 {
		return args[0]
	}
	return Argument{Name: joinedNames(args), Kind: "block", Args: args}
}

// oneOf joins alternatives; those of alternatives without brackets join theirs.
func oneOf(args []Argument) Argument {
	if first := args[0]; first.Kind == "oneof" && first.Token == "" && !first.Optional {
		args = append(first.Args[:len(first.Args):len(first.Args)], args[1:]...)
	}
	return Argument{Name: joinedNames(args), Kind: "oneof", Args: args}
}

func joinedNames(args []Argument) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.Name
	}
	return strings.Join(names, "_")
}

// kindsByName are the types of arguments, which in this notation follow from their names.
var kindsByName = map[string][]string{
	"key":       {"key", "key1", "key2", "newkey", "source", "destination", "destkey", "dst", "src", "sourcekey"},
	"pattern":   {"pattern"},
	"unix-time": {"unix-time-seconds", "unix-time-milliseconds", "timestamp"},
	"double":    {"score", "longitude", "latitude", "radius", "width", "height", "weight"},
	"integer": {"bit", "bits", "client-id", "count", "cursor", "db", "decrement", "destination-db", "end",
		"entries-read", "id-or-count",
		"index", "index1", "index2", "iterations", "len", "limit", "max-idle-time", "maxlen", "milliseconds",
		"min-idle-time", "min-match-len",
		"num-matches", "numkeys", "numlocal", "numreplicas", "offset", "port", "protover", "rank", "seconds", "start",
		"stop",
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
