package compat

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
)

// scenario is a sequence of commands and their replies, in a file under testdata:
//
//	# A comment.
//	SET greeting "hello\n" PX 500
//	A: SUBSCRIBE news
//	PUBLISH news "it's out"
//	A<
//	----
//	+OK
//	["subscribe", "news", :1]
//	:1
//	["message", "news", "it's out"]
//
// A line is a command, quoted as in redis-cli, and the name of the connection that sends it before a colon; without a
// name it is the default connection. A quoted argument may have several lines. Each command reads one reply, `A<` reads
// one more. The replies follow after ----, one a line, as reply.String formats them. A blank line ends them; the next
// commands follow. Words in lower case are directives (see directives in scenario_server_test.go):
//
//	sleep 150ms            wait
//	A: send BLPOP k 0      send a command, read no reply
//	A: raw "*0\r\n"        send bytes, read no reply
//	A: resp3               send HELLO 3 and drop the reply
//	A: close               close the connection
//	A: id me               from here on the argument $me is the ID of the connection's client
//	sync                   connect to the server as a replica does
//	stream                 write what the replica was sent since; see replica_stream_test.go
//	scan HSCAN k 0 COUNT 5 scan until the cursor is 0, and write the elements found
//	let name "text"        from here on the argument $name is the text
//
// These change how the next reply is written:
//
//	mask <regexp>          write ? for matches, which differ in each run
//	drop <regexp>          leave out matches, which only minilockd has
//	about 5000 1000        write an integer within 1000 of 5000 as about 5000
//	lines <regexp>         of a text, write only the lines that match, sorted
//	unordered              the elements come in any order
//
// Where servers differ, lines that begin with @ follow the reply, with the versions that have another one, in the
// notation of emulate.Server.Has:
//
//	:1
//	@<7.2@ -ERR syntax error
//
// The first line of the file may be "# Servers: 7.0 8.2 valkey-9.1", the only servers that the scenario is about;
// without it these are all realServers.
type scenario struct {
	path    string
	servers []string
	blocks  []*block
	tail    []string // comments after the last block
}

const serversLine = "# Servers: "

// block is a group of steps and their replies.
type block struct {
	source []string // the lines up to ----, as they are in the file
	steps  []step
	want   []recorded
}

// recorded is a reply in the file.
type recorded struct {
	line   string
	others []otherReply // the last one that fits a server replaces line
}

// otherReply is what some servers reply.
type otherReply struct{ since, line string }

// of returns the reply of a server.
func (r recorded) of(server *emulate.Server) string {
	line := r.line
	for _, v := range r.others {
		if server.Has(v.since) {
			line = v.line
		}
	}
	return line
}

// step is one command or directive.
type step struct {
	line int    // in the file, from 1
	conn string // "" is the default connection
	verb string // a directive, "<" or "" for a command
	rest string // the text after the verb
	args []string
}

// divider separates commands from replies.
const divider = "----"

var connPrefix = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9]*)(: |<)`)

// readScenario parses a file.
func readScenario(path string) (*scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &scenario{path: path, servers: realServers}
	p := scenarioParser{lines: strings.Split(strings.TrimRight(string(data), "\n"), "\n"), names: map[string]string{}}
	if names, ok := strings.CutPrefix(p.lines[0], serversLine); ok {
		s.servers = strings.Fields(names)
	}
	for p.at < len(p.lines) {
		b, err := p.block()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, p.at, err)
		}
		if b == nil {
			s.tail = p.lines[p.begin:]
			break
		}
		s.blocks = append(s.blocks, b)
	}
	return s, nil
}

type scenarioParser struct {
	lines []string
	at    int // the next line
	begin int // where the block begins
	names map[string]string
}

// block parses commands and their replies; it returns nil if only comments are left.
func (p *scenarioParser) block() (*block, error) {
	b := &block{}
	for p.begin = p.at; p.at < len(p.lines); {
		line := p.lines[p.at]
		p.at++
		switch {
		case line == divider:
			b.source = p.lines[p.begin : p.at-1]
			var err error
			b.want, err = p.replies()
			return b, err
		case strings.TrimSpace(line) == "" || line[0] == '#':
			continue
		}
		s, err := p.step(line)
		if err != nil {
			return nil, err
		}
		if s.verb == "let" {
			if len(s.args) != 2 {
				return nil, fmt.Errorf("let takes a name and a text")
			}
			p.names["$"+s.args[0]] = s.args[1]
			continue
		}
		b.steps = append(b.steps, s)
	}
	if len(b.steps) > 0 {
		return nil, fmt.Errorf("commands without %s", divider)
	}
	return nil, nil
}

// step parses a line, and further lines while a quote is open.
func (p *scenarioParser) step(line string) (step, error) {
	s := step{line: p.at}
	if m := connPrefix.FindStringSubmatch(line); m != nil {
		s.conn, line = m[1], line[len(m[1])+1:]
		if m[2] == "<" {
			s.verb = "<"
			return s, nil
		}
	}
	line = strings.TrimSpace(line)
	if verb, rest, _ := strings.Cut(line, " "); isDirective(verb) {
		s.verb, line = verb, strings.TrimSpace(rest)
	}
	s.rest = line
	if s.verb == "mask" || s.verb == "lines" {
		return s, nil // a regular expression, not arguments
	}
	return s, p.arguments(&s, line)
}

func (p *scenarioParser) arguments(s *step, text string) error {
	for {
		args, open, err := splitArgs(text)
		if err != nil || !open {
			s.args = p.named(args)
			return err
		}
		if p.at == len(p.lines) {
			return fmt.Errorf("quote not closed")
		}
		text += "\n" + p.lines[p.at]
		p.at++
	}
}

// named replaces names by their texts.
func (p *scenarioParser) named(args []string) []string {
	for i, a := range args {
		if text, ok := p.names[a]; ok {
			args[i] = text
		}
	}
	return args
}

func (p *scenarioParser) replies() (want []recorded, err error) {
	for ; p.at < len(p.lines) && p.lines[p.at] != ""; p.at++ {
		other, isVariant := strings.CutPrefix(p.lines[p.at], "@")
		if !isVariant {
			want = append(want, recorded{line: p.lines[p.at]})
			continue
		}
		since, line, ok := strings.Cut(other, "@ ")
		if !ok || len(want) == 0 {
			return nil, fmt.Errorf("%q does not follow a reply", p.lines[p.at])
		}
		last := &want[len(want)-1]
		last.others = append(last.others, otherReply{since, line})
	}
	p.at++ // the blank line
	return want, nil
}

// text returns the content of the file.
func (s *scenario) text() string {
	var b strings.Builder
	for i, block := range s.blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, line := range append(slices.Clone(block.source), divider) {
			b.WriteString(line + "\n")
		}
		for _, r := range block.want {
			b.WriteString(r.line + "\n")
			for _, v := range r.others {
				b.WriteString("@" + v.since + "@ " + v.line + "\n")
			}
		}
	}
	if len(s.tail) > 0 {
		b.WriteString("\n" + strings.Join(s.tail, "\n") + "\n")
	}
	return b.String()
}
