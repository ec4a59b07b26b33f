package compat

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// skippedReply stands for replies after one that did not come.
const skippedReply = "(not asked)"

// scenarioServer is a server and the connections of a scenario to it.
type scenarioServer struct {
	t        *testing.T
	addr     string
	conns    map[string]*rawClient
	next     replyFormat       // for the next reply
	timedOut bool              // a reply did not come: do not wait for others
	names    map[string]string // names given by id
	stream   *replicaStream    // see sync
	useRESP3 bool              // every connection begins with HELLO 3
	raw      string            // the bytes of the last reply, or its line if Redis does not define them
}

// replyFormat change how a reply is formatted.
type replyFormat struct {
	masks       []*regexp.Regexp
	drops       []*regexp.Regexp
	lines       *regexp.Regexp
	unordered   bool
	near, width int64 // about
}

// newScenarioServer clears a server for a scenario.
func newScenarioServer(t *testing.T, addr string, resp3 bool) *scenarioServer {
	s := &scenarioServer{t: t, addr: addr, conns: map[string]*rawClient{}, names: map[string]string{}, useRESP3: resp3}
	for _, args := range [][]string{{"FLUSHALL"}, {"SCRIPT", "FLUSH"}} {
		require.Equal(t, "+OK", s.conn("").do(t, args...).String(), "%s", args)
	}
	return s
}

func (s *scenarioServer) conn(name string) *rawClient {
	c := s.conns[name]
	if c == nil {
		c = dial(s.t, s.addr)
		s.conns[name] = c
		if s.useRESP3 {
			c.do(s.t, "HELLO", "3") // an error if the server has a password
		}
	}
	return c
}

// directives are the functions of the directives. ok is false if they have no reply.
var directives = map[string]func(*scenarioServer, step) (line string, ok bool){
	"send":  (*scenarioServer).send,
	"raw":   (*scenarioServer).sendRaw,
	"resp3": (*scenarioServer).resp3,
	"close": (*scenarioServer).close,
	"id":    (*scenarioServer).id,
	"scan":  (*scenarioServer).scan,
	"sync":  (*scenarioServer).sync, "stream": (*scenarioServer).readStream,
	"mask": (*scenarioServer).modify, "drop": (*scenarioServer).modify,
	"about": (*scenarioServer).modify, "lines": (*scenarioServer).modify,
	"unordered": (*scenarioServer).modify,
	"<":         func(s *scenarioServer, st step) (string, bool) { return s.receive(st, ordered), true },
	"sleep": func(s *scenarioServer, st step) (string, bool) {
		return "", false // runBlock sleeps once for all servers
	},
}

func isDirective(word string) bool { return word == "let" || directives[word] != nil }

// run runs a step and returns the line of its reply, if it has one.
func (s *scenarioServer) run(st step) (line string, ok bool) {
	if do := directives[st.verb]; do != nil {
		return do(s, st)
	}
	s.send(st)
	return s.receive(st, orderingOf(st.args)), true
}

func (s *scenarioServer) send(st step) (string, bool) {
	c, args := s.conn(st.conn), slices.Clone(st.args)
	for i, arg := range args {
		if id, ok := s.names[arg]; ok {
			args[i] = id
		}
	}
	c.queue(args...)
	_ = c.flush() // if the connection is closed, the read fails
	return "", false
}

// id gets the ID of the connection's client and gives it a name.
func (s *scenarioServer) id(st step) (string, bool) {
	require.Len(s.t, st.args, 1, "line %d: id takes a name", st.line)
	s.names["$"+st.args[0]] = s.conn(st.conn).do(s.t, "CLIENT", "ID").text
	return "", false
}

func (s *scenarioServer) sendRaw(st step) (string, bool) {
	require.Len(s.t, st.args, 1, "line %d: raw takes one text", st.line)
	_ = s.conn(st.conn).write(st.args[0])
	return "", false
}

func (s *scenarioServer) resp3(st step) (string, bool) {
	v := s.conn(st.conn).do(s.t, "HELLO", "3")
	require.Equal(s.t, byte('%'), v.kind, "HELLO 3: %s", v)
	return "", false
}

func (s *scenarioServer) close(st step) (string, bool) {
	require.NoError(s.t, s.conn(st.conn).conn.Close())
	delete(s.conns, st.conn)
	return "", false
}

func (s *scenarioServer) modify(st step) (string, bool) {
	switch st.verb {
	case "drop":
		s.next.drops = append(s.next.drops, s.pattern(st))
	case "mask":
		s.next.masks = append(s.next.masks, s.pattern(st))
	case "lines":
		s.next.lines = s.pattern(st)
	case "unordered":
		s.next.unordered = true
	case "about":
		require.Len(s.t, st.args, 2, "line %d: about takes a number and a width", st.line)
		s.next.near, s.next.width = s.number(st, 0), s.number(st, 1)
	}
	return "", false
}

func (s *scenarioServer) pattern(st step) *regexp.Regexp {
	re, err := regexp.Compile(st.rest)
	require.NoError(s.t, err, "line %d", st.line)
	return re
}

func (s *scenarioServer) number(st step, i int) int64 {
	n, err := strconv.ParseInt(st.args[i], 10, 64)
	require.NoError(s.t, err, "line %d", st.line)
	return n
}

// receive reads a reply and formats it.
func (s *scenarioServer) receive(st step, o ordering) string {
	m := s.next
	s.next, s.raw = replyFormat{}, ""
	if s.timedOut {
		return skippedReply
	}
	v, err := s.conn(st.conn).read()
	switch {
	case errors.Is(err, errNoReply):
		s.timedOut = true
		return "(" + err.Error() + ")"
	case errors.Is(err, io.EOF) || err != nil && strings.Contains(err.Error(), "connection reset"):
		return "(closed)"
	case err != nil:
		return fmt.Sprintf("(%v)", err)
	}
	v = withoutBuiltinModule(v)
	rounded := roundSeconds(st.args, &v)
	line := m.write(v, o)
	if s.raw = string(v.raw); rounded || m.change() || tableOrder(st.args, o) {
		s.raw = line
	}
	return line
}

// roundSeconds rounds the reply of TTL up to a multiple of ten, and reports whether it did: a second may end between
// two commands.
func roundSeconds(args []string, v *reply) bool {
	n, err := strconv.ParseInt(v.text, 10, 64)
	if len(args) == 0 || !strings.EqualFold(args[0], "TTL") || err != nil || n <= 10 {
		return false
	}
	v.text = strconv.FormatInt((n+9)/10*10, 10)
	return true
}

// tableOrder reports whether a reply is in the order of a hash table, which differs in each run of Redis: keys, members
// of sets, parameters. Small hashes are in the order in which their fields were added.
func tableOrder(args []string, o ordering) bool {
	switch o {
	case ordered:
		return false
	case asPairs, asCursorPairs:
		return strings.EqualFold(args[0], "CONFIG")
	}
	return !strings.EqualFold(args[0], "HKEYS") && !strings.EqualFold(args[0], "HVALS")
}

// change reports whether a format is set.
func (m replyFormat) change() bool {
	return m.masks != nil || m.drops != nil || m.lines != nil || m.unordered || m.width > 0
}

func (m replyFormat) write(v reply, o ordering) string {
	if m.unordered {
		o = asSet
	}
	line := v.inOrder(o)
	if n, err := strconv.ParseInt(v.text, 10, 64); err == nil && m.width > 0 && max(n-m.near, m.near-n) <= m.width {
		line = fmt.Sprintf("about %d", m.near)
	}
	if m.lines != nil {
		line = keepLines(v.text, m.lines)
	}
	for _, drop := range m.drops {
		line = drop.ReplaceAllLiteralString(line, "")
	}
	for _, mask := range m.masks {
		line = mask.ReplaceAllLiteralString(line, "?")
	}
	return line
}

// keepLines returns the lines of a text that match.
func keepLines(text string, keep *regexp.Regexp) string {
	lines := slices.DeleteFunc(strings.Split(text, "\r\n"), func(l string) bool { return !keep.MatchString(l) })
	slices.Sort(lines)
	return "lines " + strings.Join(lines, " | ")
}

// scan scans to the end and formats the elements found, each once. How many calls return them is not defined.
func (s *scenarioServer) scan(st step) (string, bool) {
	at, o := 2, orderingOf(st.args)
	if strings.EqualFold(st.args[0], "SCAN") {
		at = 1
	}
	s.raw = ""
	args, found, calls := slices.Clone(st.args), map[string]bool{}, 0
	for done := false; !done; calls++ {
		v := s.conn(st.conn).do(s.t, args...)
		if len(v.elems) != 2 || calls == 10_000 {
			return v.String(), true
		}
		for _, part := range scanned(v.elems[1], o) {
			found[part] = true
		}
		args[at] = v.elems[0].text
		done = args[at] == "0"
	}
	return oneOrSeveral(calls) + ": " + strings.Join(slices.Sorted(maps.Keys(found)), ", "), true
}

func scanned(v reply, o ordering) []string {
	if o == asCursorPairs {
		return v.pairs(": ")
	}
	return v.parts()
}

func oneOrSeveral(calls int) string {
	if calls == 1 {
		return "one call"
	}
	return "several calls"
}

// pause returns how long a step sleeps.
func pause(t *testing.T, st step) time.Duration {
	if st.verb != "sleep" {
		return 0
	}
	d, err := time.ParseDuration(st.rest)
	require.NoError(t, err, "line %d", st.line)
	return d
}

// last returns what each connection gets until it is closed, after the scenario.
func (s *scenarioServer) last() []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(s.conns)) {
		words = append(words, name+"< "+readable(maskPerRun(s.conns[name].last(s.t))))
	}
	return words
}
