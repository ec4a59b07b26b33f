package compat

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// replicaStream is a connection that a server takes for a replica: it reads what the server sends its replicas.
type replicaStream struct {
	conn   *rawClient
	marker *rawClient // publishes endOfStream
	db     string     // that the stream has selected
	ended  int        // how many markers were published
}

// endOfStream is the channel of messages that a test publishes to know where in the stream it is: replicas get them.
const endOfStream = "end-of-stream"

var errNoCopy = errors.New("no copy of the data follows SYNC")

// openStream connects to a server as a replica does, and reads over the copy of its data.
func openStream(t testing.TB, addr string) *replicaStream {
	t.Helper()
	r := &replicaStream{conn: dial(t, addr), marker: dial(t, addr), db: "0"}
	require.NoError(t, r.conn.write("SYNC\r\n"))
	require.NoError(t, r.conn.conn.SetReadDeadline(time.Now().Add(replyTimeout)))
	require.NoError(t, r.skipCopy())
	return r
}

// skipCopy reads the length of an RDB file and the file. A server that still makes it sends empty lines.
func (r *replicaStream) skipCopy() error {
	for {
		line, err := r.conn.in.ReadString('\n')
		if err != nil {
			return err
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		size, err := strconv.ParseInt(strings.TrimPrefix(line, "$"), 10, 64)
		if err != nil {
			return errNoCopy
		}
		_, err = io.CopyN(io.Discard, r.conn.in, size)
		return err
	}
}

// mark publishes a marker.
func (r *replicaStream) mark(t testing.TB) {
	t.Helper()
	r.ended++
	r.marker.do(t, markerArgs(r.ended)...)
}

func markerArgs(n int) []string { return []string{"PUBLISH", endOfStream, strconv.Itoa(n)} }

// upToMarker returns the commands before the next marker, each in the form of format.
func (r *replicaStream) upToMarker() (commands []string, err error) {
	for {
		v, err := r.conn.read()
		if err != nil {
			return commands, err
		}
		args := make([]string, len(v.elems))
		for i, e := range v.elems {
			args[i] = e.text
		}
		switch strings.ToUpper(args[0]) {
		case "PING", "REPLCONF":
		case "SELECT":
			r.db = args[1]
		default:
			if len(args) == 3 && args[1] == endOfStream {
				return commands, nil
			}
			commands = append(commands, r.format(args))
		}
	}
}

// format returns a command as a line. Times are relative to now, databases other than 0 come first.
func (r *replicaStream) format(args []string) string {
	for i, arg := range args {
		args[i] = relativeTime(arg, time.Now())
	}
	line := quoteArgs(args)
	if name := strings.ToUpper(args[0]); r.db != "0" && name != "MULTI" && name != "EXEC" {
		return "(" + r.db + ") " + line
	}
	return line
}

// timeInStream matches times in milliseconds, and the IDs of new entries of streams.
var timeInStream = regexp.MustCompile(`^(\d{13})(-\d+)?$`)

// relativeTime replaces a time near now by its distance, rounded up to a multiple of timeStep.
func relativeTime(arg string, now time.Time) string {
	const timeStep, nearby = 100_000, 1_000_000_000
	m := timeInStream.FindStringSubmatch(arg)
	if m == nil {
		return arg
	}
	ms, _ := strconv.ParseInt(m[1], 10, 64)
	after := ms - now.UnixMilli()
	if m[2] != "" {
		m[2] = "-seq" // it depends on how many entries a millisecond has
	}
	switch {
	case after < -timeStep || after > nearby:
		return arg
	case after <= 0:
		return "now" + m[2]
	}
	return "now+" + strconv.FormatInt((after+timeStep-1)/timeStep*timeStep/1000, 10) + "s" + m[2]
}

// sync is the directive that connects a replica; stream writes what it has got since.
func (s *scenarioServer) sync(step) (string, bool) {
	s.stream = openStream(s.t, s.addr)
	return "", false
}

func (s *scenarioServer) readStream(st step) (string, bool) {
	require.NotNil(s.t, s.stream, "line %d: stream without sync", st.line)
	s.stream.mark(s.t)
	commands, err := s.stream.upToMarker()
	require.NoError(s.t, err, "line %d", st.line)
	if s.raw = strings.Join(commands, " | "); s.raw == "" {
		s.raw = "(nothing)"
	}
	for _, mask := range s.next.masks {
		s.raw = mask.ReplaceAllLiteralString(s.raw, "?")
	}
	s.next = replyFormat{}
	return s.raw, true
}
