package redisconf

import (
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
)

// CommandLine is the arguments of a program, as redis-server has them: the name of a file, "-" for more lines on the
// standard input, and options, which override both.
type CommandLine struct {
	File    string              // empty if there is none
	Stdin   bool                // read the standard input
	Options string              // lines, one for each option
	Flags   map[string]string   // of the program itself; of one that is given twice, the last value
	Lists   map[string][]string // all values of each flag with List set; nil if there are none
}

// Flag is an option of the program itself: it is -name or --name, and its value follows a blank or an equals sign.
type Flag struct {
	Name   string
	Switch bool // takes no value
	List   bool // may be given several times, and all values count
}

// ParseArgs reads the arguments, without the name of the program. own are the flags of the program itself.
//
// An option is --name, followed by its arguments up to the next word that begins with two hyphens; the first word after
// a name is always an argument, except after --save, which alone is --save "". A name and its arguments may also be one
// word, "--save 60 1". Unlike redis-server, ParseArgs also accepts --name=value.
func ParseArgs(args []string, own []Flag) (CommandLine, error) {
	p := parser{args: args, own: own, line: CommandLine{Flags: make(map[string]string)}, complete: true}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		p.line.File = args[0]
		p.at = 1
	}
	for p.at < len(args) {
		if err := p.word(); err != nil {
			return p.line, err
		}
	}
	p.line.Options = p.options.String()
	return p.line, nil
}

// parser is the state of ParseArgs. It writes options as lines of redis.conf, so both are checked in the same place.
type parser struct {
	args     []string
	own      []Flag
	at       int
	line     CommandLine
	options  strings.Builder
	complete bool // the last option has an argument, or there is no option yet
}

// word parses the next word.
func (p *parser) word() error {
	arg := p.args[p.at]
	first, last := p.at == 0, p.at == len(p.args)-1
	if p.complete {
		if flag, value, hasValue := p.flag(arg); flag != nil {
			return p.setFlag(*flag, value, hasValue)
		}
	}
	p.at++
	switch {
	case arg == "-" && (first || last):
		p.line.Stdin = true
	case p.complete && strings.HasPrefix(arg, "--"):
		p.option(arg[2:])
	default:
		p.options.WriteString(" " + words.Quote([]byte(arg)))
		p.complete = true
	}
	return nil
}

// flag returns the flag of the program itself that a word names, or nil.
func (p *parser) flag(arg string) (flag *Flag, value string, hasValue bool) {
	name, dashed := strings.CutPrefix(arg, "-")
	if !dashed {
		return nil, "", false
	}
	name, value, hasValue = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	for i := range p.own {
		if p.own[i].Name == name {
			return &p.own[i], value, hasValue
		}
	}
	return nil, "", false
}

// setFlag takes a flag with its value, which is in the same word behind an equals sign, or is the next word.
func (p *parser) setFlag(flag Flag, value string, hasValue bool) error {
	p.at++
	switch {
	case flag.Switch && hasValue:
		return fmt.Errorf("--%s takes no value", flag.Name)
	case !flag.Switch && !hasValue:
		if p.at == len(p.args) {
			return fmt.Errorf("--%s needs a value", flag.Name)
		}
		value = p.args[p.at]
		p.at++
	}
	if flag.List {
		if p.line.Lists == nil {
			p.line.Lists = make(map[string][]string)
		}
		p.line.Lists[flag.Name] = append(p.line.Lists[flag.Name], value)
		return nil
	}
	p.line.Flags[flag.Name] = value
	return nil
}

// option starts a line for an option, whose text follows the two hyphens: a name alone, a name and arguments, or
// name=value.
func (p *parser) option(text string) {
	if p.options.Len() > 0 {
		p.options.WriteByte('\n')
	}
	if name, value, found := strings.Cut(text, "="); found && !strings.ContainsAny(name, " \t\"'") {
		p.options.WriteString(name + " " + words.Quote([]byte(value)))
		return
	}
	p.options.WriteString(text)
	parts, _ := words.SplitString(text)
	p.complete = len(parts) != 1
	next := p.at == len(p.args) || strings.HasPrefix(p.args[p.at], "--")
	if !p.complete && next && strings.EqualFold(text, "save") {
		p.options.WriteString(` ""`)
		p.complete = true
	}
}
