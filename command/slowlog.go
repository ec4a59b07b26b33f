package command

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
)

var slowlogCommand = Command{Name: "slowlog", Arity: -2, Since: "2.2.12", Summary: "Commands about calls that took long.", Sub: []Command{
	{Name: "get", Usage: "[count]", Arity: -2, Flags: Admin | Loading | Stale, Keys: Whole, Since: "2.2.12",
		Tips:    "request_policy:all_nodes nondeterministic_output",
		Summary: "Shows the latest slow calls.", Run: slowlogGet},
	{Name: "help", Arity: 2, Flags: Loading | Stale, Since: "6.2.0",
		Summary: "Lists the subcommands.", Run: help},
	{Name: "len", Arity: 2, Flags: Admin | Loading | Stale, Keys: Whole, Since: "2.2.12",
		Tips:    "request_policy:all_nodes response_policy:agg_sum nondeterministic_output",
		Summary: "Counts the slow calls that are kept.", Run: slowlogLen},
	{Name: "reset", Arity: 2, Flags: Admin | Loading | Stale, Keys: Whole, Since: "2.2.12",
		Tips:    "request_policy:all_nodes response_policy:all_succeeded",
		Summary: "Forgets the slow calls.", Run: slowlogReset},
}}

var errSlowlogCount = errors.New("ERR count should be greater than or equal to -1")

// slowLog keeps the calls that took longest to be looked at. It is filled only while slowlog-log-slower-than is not -1. The
// zero value is empty; it is safe for concurrent use.
type slowLog struct {
	mu      sync.Mutex // guards nextID and entries
	nextID  int64
	entries []slowCall // oldest first
}

type slowCall struct {
	id           int64
	at           time.Time
	took         time.Duration
	args         []string
	client, name string
}

// What the slow log keeps of a call (SLOWLOG command page).
const (
	slowMaxArgs  = 32
	slowMaxBytes = 128
)

// scriptClient is where calls of scripts come from: a client without a connection, as in Redis.
const scriptClient = "?:0"

// slowCall is the entry of the call.
func (c *Call) slowCall(took time.Duration) slowCall {
	entry := slowCall{at: c.Env().Clock.Now(), took: took, args: abridged(c.redacted()), client: scriptClient}
	if !c.scripted {
		entry.client, entry.name = c.Session.Addr, loaded(&c.Session.info.name)
	}
	return entry
}

// add logs a call, and forgets the oldest entries beyond length.
func (l *slowLog) add(entry slowCall, length int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.id = l.nextID
	l.nextID++
	l.append(length, entry)
}

// take moves the entries of another log to this one, as if they had been added here.
func (l *slowLog) take(other *slowLog, length int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range other.entries {
		other.entries[i].id += l.nextID
	}
	l.nextID += other.nextID
	l.append(length, other.entries...)
	other.forget()
}

// append adds entries; the caller holds mu.
func (l *slowLog) append(length int, entries ...slowCall) {
	l.entries = append(l.entries, entries...)
	if extra := len(l.entries) - length; extra > 0 {
		l.entries = append([]slowCall(nil), l.entries[extra:]...)
	}
}

// forget empties a log that nobody else knows.
func (l *slowLog) forget() { l.nextID, l.entries = 0, nil }

// abridged copies the words, each up to a length, and tells how much was left out.
func abridged(args [][]byte) []string {
	words := make([]string, 0, min(len(args), slowMaxArgs))
	for i, arg := range args {
		switch left := len(args) - slowMaxArgs + 1; {
		case i == slowMaxArgs-1 && left > 1:
			return append(words, fmt.Sprintf("... (%d more arguments)", left))
		case len(arg) > slowMaxBytes:
			words = append(words, fmt.Sprintf("%s... (%d more bytes)", arg[:slowMaxBytes], len(arg)-slowMaxBytes))
		default:
			words = append(words, string(arg))
		}
	}
	return words
}

// latest lists the last n entries, the newest first; all of them if n is -1.
func (l *slowLog) latest(n int) []resp.Value {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < 0 || n > len(l.entries) {
		n = len(l.entries)
	}
	found := make([]resp.Value, 0, n)
	for i := len(l.entries) - 1; i >= len(l.entries)-n; i-- {
		found = append(found, l.entries[i].reply())
	}
	return found
}

func (e *slowCall) reply() resp.Value {
	return resp.Array(resp.Int(e.id), resp.Int(e.at.Unix()), resp.Int(e.took.Microseconds()), resp.Strings(e.args),
		resp.BulkString(e.client), resp.BulkString(e.name))
}

func slowlogGet(c *Call) resp.Value {
	n := 10
	if c.Len() > 3 {
		return c.Fail(errSubcommandArity(c))
	}
	if c.Len() == 3 {
		var err error
		if n, err = c.Index(2); err != nil || n < -1 {
			return c.Fail(errSlowlogCount)
		}
	}
	return resp.Array(c.Env().Stats.slow.latest(n)...)
}

func slowlogLen(c *Call) resp.Value {
	l := &c.Env().Stats.slow
	l.mu.Lock()
	defer l.mu.Unlock()
	return resp.Int(int64(len(l.entries)))
}

func slowlogReset(c *Call) resp.Value {
	l := &c.Env().Stats.slow
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
	return resp.OK
}
