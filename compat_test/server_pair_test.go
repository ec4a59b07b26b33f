package compat

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// serverPair is redis-server and the server under test, which get the same commands.
type serverPair struct {
	t             *testing.T
	ref, target   string
	resp3         bool // the connections use RESP3
	compareEvents bool // keyspace notifications are compared as well
}

// newServerPair starts both servers.
func newServerPair(t *testing.T) serverPair {
	return serverPair{t: t, ref: startReference(t), target: startTarget(t)}
}

// difference is the first difference between the servers. at is the index of the command, or the number of commands if
// the data differ at the end.
type difference struct {
	at   int
	text string
}

// run clears both servers, sends them the commands and compares.
func (a serverPair) run(commands [][]string) (replies []reply, d *difference) {
	ref, target := a.connect(a.ref), a.connect(a.target)
	defer ref.conn.Close()
	defer target.conn.Close()
	endEvents := a.recordEvents()
	type result struct {
		replies []reply
		err     error
	}
	reference := make(chan result, 1)
	go func() {
		replies, err := ref.pipeline(commands)
		reference <- result{replies, err}
	}()
	got, err := target.pipeline(commands)
	want, eventDifference := <-reference, endEvents()
	require.NoError(a.t, want.err, "redis-server")
	if d := compareReplies(commands, want.replies, got); d != nil {
		return want.replies, d
	}
	if err != nil {
		text := fmt.Sprintf("%q\n   redis: %s\n  target: %v", commands[len(got)], want.replies[len(got)], err)
		return want.replies, &difference{len(got), text}
	}
	if eventDifference != "" {
		return want.replies, &difference{len(commands), eventDifference}
	}
	return want.replies, a.compareData(len(commands), ref, target)
}

// recordEvents starts recording the notifications of both servers if they are to be compared. The returned function
// ends the recording and returns the first difference, or an empty string.
func (a serverPair) recordEvents() (end func() string) {
	if !a.compareEvents {
		return func() string { return "" }
	}
	ref, target := recordEvents(a.t, a.ref), recordEvents(a.t, a.target)
	return func() string { return diffEvents(ref.end(), target.end()) }
}

// connect connects to a server and clears it.
func (a serverPair) connect(addr string) *rawClient {
	c := dial(a.t, addr)
	require.Equal(a.t, "+OK", c.do(a.t, "FLUSHALL").String())
	require.Equal(a.t, "+OK", c.do(a.t, "SCRIPT", "FLUSH").String())
	require.Equal(a.t, "+OK", c.do(a.t, "FUNCTION", "FLUSH").String())
	if a.resp3 {
		require.Equal(a.t, byte('%'), c.do(a.t, "HELLO", "3").kind)
	}
	return c
}

func (a serverPair) compareData(at int, ref, target *rawClient) *difference {
	ref.do(a.t, "DISCARD") // in an open MULTI the next commands would only be queued
	target.do(a.t, "DISCARD")
	for _, db := range []string{"0", "1"} {
		ref.do(a.t, "SELECT", db)
		target.do(a.t, "SELECT", db)
		if text := differentKeys(keyspace(a.t, ref), keyspace(a.t, target)); text != "" {
			return &difference{at, "the data of database " + db + ":" + text}
		}
	}
	return nil
}

// compareReplies finds the first reply that differs.
func compareReplies(commands [][]string, want, got []reply) *difference {
	var queued [][]string
	for i, args := range commands[:min(len(want), len(got))] {
		if !sameReply(args, queued, want[i], got[i]) {
			return &difference{i, fmt.Sprintf("%q\n   redis: %s\n  target: %s", args, want[i], got[i])}
		}
		switch name := strings.ToUpper(args[0]); {
		case want[i].text == "QUEUED" && want[i].kind == '+':
			queued = append(queued, args)
		case name == "EXEC" || name == "DISCARD":
			queued = nil
		}
	}
	return nil
}

// sameReply compares the replies to a command. queued are the commands of the transaction that an EXEC replies to.
func sameReply(args []string, queued [][]string, want, got reply) bool {
	if want.raw != nil && bytes.Equal(want.raw, got.raw) {
		return true
	}
	if strings.EqualFold(args[0], "EXEC") && len(want.elems) == len(queued) && len(got.elems) == len(queued) {
		for i, inner := range queued {
			if !sameReply(inner, nil, want.elems[i], got.elems[i]) {
				return false
			}
		}
		return want.kind == got.kind && want.null == got.null
	}
	if repliesWithTimes[strings.ToUpper(args[0])] && timesInReplies.ReplaceAllString(want.String(),
		"$1?$2") == timesInReplies.ReplaceAllString(got.String(), "$1?$2") {
		return true
	}
	if o := orderingOf(args); want.inOrder(o) == got.inOrder(o) {
		return true
	}
	if strings.EqualFold(args[0], "DUMP") && sameDump(want, got) {
		return true
	}
	return nearReply(want, got, nearReplies[strings.ToUpper(args[0])])
}

// nearReply compares replies that depend on time: integers, or arrays of them.
func nearReply(want, got reply, width int64) bool {
	if len(want.elems) > 0 && len(want.elems) == len(got.elems) && width > 0 {
		for i := range want.elems {
			if want.elems[i].text != got.elems[i].text && !nearReply(want.elems[i], got.elems[i], width) {
				return false
			}
		}
		return want.kind == got.kind
	}
	x, errX := strconv.ParseInt(want.text, 10, 64)
	y, errY := strconv.ParseInt(got.text, 10, 64)
	return want.kind == got.kind && errX == nil && errY == nil && max(x-y, y-x) <= width && min(x, y) >= 0
}

// shrink removes commands as long as the servers still differ when run sends the rest (Zeller's delta debugging). It
// begins with the commands up to the first difference.
func shrink[T any](commands []T, d *difference, run func([]T) *difference) ([]T, *difference) {
	commands = slices.Clone(commands[:min(d.at+1, len(commands))])
	for parts := 2; len(commands) > 1; {
		size := (len(commands) + parts - 1) / parts
		rest, found := without(commands, size, run)
		switch {
		case found != nil:
			commands, d = rest, found
			parts = max(parts-1, 2)
		case size == 1:
			return commands, d
		default:
			parts = min(2*parts, len(commands))
		}
	}
	return commands, d
}

// without tries to remove each chunk of the given size in turn.
func without[T any](commands []T, size int, run func([]T) *difference) ([]T, *difference) {
	for from := 0; from < len(commands); from += size {
		rest := slices.Delete(slices.Clone(commands), from, min(from+size, len(commands)))
		if d := run(rest); d != nil {
			return rest[:min(d.at+1, len(rest))], d
		}
	}
	return nil, nil
}
