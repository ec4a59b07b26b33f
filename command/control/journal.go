package control

// TEST.JOURNAL shows the commands that the server has received; package journal keeps them. They are noted when the
// hooks are asked about them, so before they run; what a script calls, when its transaction commits. The commands of
// this package are not noted.

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/journal"
	"github.com/minilockd/minilockd/store"
)

var journalCommands = []command.Command{
	{Name: "test.journal", Arity: -1, Flags: faultFlags,
		Usage: "[ON [COUNT count] | OFF | CLEAR] [COUNT count] [CLIENT client-id] [MATCH pattern]",
		Since: since, Run: testJournal,
		Summary: "Notes the commands that clients send and scripts call, and returns them, the oldest first."},
}

// errJournalSize is the error of a number of commands that cannot be kept.
var errJournalSize = errors.New("ERR COUNT must be between 1 and 1000000")

// testJournal implements TEST.JOURNAL.
func testJournal(c *command.Call) resp.Value {
	j := hooksOf(c).Journal
	switch {
	case c.Is(1, "on"):
		return journalOn(c, j)
	case c.Is(1, "off") && c.Len() == 2:
		j.Stop()
		return resp.OK
	case c.Is(1, "clear") && c.Len() == 2:
		j.Clear()
		return resp.OK
	}
	return journalList(c, j)
}

func journalOn(c *command.Call, j *journal.Journal) resp.Value {
	count, err := countOption(c, 2, journal.Default, journal.Max, errJournalSize)
	if err == nil {
		j.Start(count)
	}
	return c.OKOr(err)
}

// journalList replies the entries that the options select.
func journalList(c *command.Call, j *journal.Journal) resp.Value {
	count, client := int64(journal.Max), int64(0)
	match := func(journal.Entry) bool { return true }
	for i := 1; i < c.Len(); i += 2 {
		var err error
		switch {
		case i+1 == c.Len():
			err = command.ErrSyntax
		case c.Is(i, "count"):
			if count, err = c.Int(i + 1); err == nil && count < 1 {
				err = errJournalSize
			}
		case c.Is(i, "client"):
			client, err = c.Int(i + 1)
		case c.Is(i, "match"):
			match = journal.Match(string(c.Arg(i + 1)))
		default:
			err = command.ErrSyntax
		}
		if err != nil {
			return c.Fail(err)
		}
	}
	found := j.Find(func(e journal.Entry) bool { return (client == 0 || e.Client == client) && match(e) })
	var list []resp.Value
	for _, e := range found[max(len(found)-command.ToInt(count), 0):] {
		list = append(list, entryMap(&e))
	}
	return resp.Array(list...)
}

// entryMap is an entry as TEST.JOURNAL replies it.
func entryMap(e *journal.Entry) resp.Value {
	text := resp.BulkString
	return resp.Map(text("id"), resp.Int(e.ID), text("time"), resp.Int(e.Time.UnixMilli()),
		text("client"), resp.Int(e.Client), text("name"), text(e.Name), text("addr"), text(e.Addr),
		text("db"), resp.Int(int64(e.DB)), text("command"), text(e.Line()), text("script"), resp.Flag(e.Script),
		text("error"), text(e.Err))
}

// note adds a call to the journal.
func (h *Hooks) note(c *command.Call) {
	if h.Journal.On() {
		h.add(c, "")
	}
}

// add adds a call with its error, "" for none.
func (h *Hooks) add(c *command.Call, failure string) {
	s := c.Session
	e := journal.Entry{Time: h.env.Clock.Now(), Client: s.ID, Name: s.Name(), Addr: s.Addr, DB: c.Tx.DB(),
		Script: c.FromScript(), Err: failure}
	args := c.Args
	if c.Cmd == nil {
		e.Command = strings.ToLower(kept(args[0]))
	} else {
		e.Command, args = c.Cmd.FullName(), c.Cmd.Redact(args)
	}
	e.Args = make([]string, len(args))
	for i, arg := range args {
		e.Args[i] = kept(arg)
	}
	if c.FromScript() { // a script that restarts makes its calls again
		c.Tx.Defer(store.EffectFunc(func() { h.Journal.Add(e) }))
		return
	}
	h.Journal.Add(e)
}

// maxArg is the largest number of bytes of an argument that the journal keeps.
const maxArg = 4 << 10

func kept(arg []byte) string {
	if len(arg) > maxArg {
		return string(arg[:maxArg]) + "…"
	}
	return string(arg)
}

// Failed implements command.Hooks.
func (h *Hooks) Failed(c *command.Call, text string, asked bool) {
	switch {
	case !h.Journal.On():
	case !asked:
		h.add(c, text)
	case c.FromScript():
		client := c.Session.ID
		c.Tx.Defer(store.EffectFunc(func() { h.Journal.SetError(client, true, text) }))
	case !c.Nested(): // the commands of EXEC were noted when they were queued, and others after them
		h.Journal.SetError(c.Session.ID, false, text)
	}
}
