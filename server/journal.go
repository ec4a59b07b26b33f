package server

import (
	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/journal"
)

// Commands returns the journal of the commands that the server has received, in their order: what clients have sent,
// also what was rejected, and what scripts have called. It is off unless Options.Journal turns it on; TEST.JOURNAL does
// the same over a connection. The commands CLOCK.…, FAULT.… and TEST.… are not in it.
//
//	srv := server.StartT(t, server.Options{Journal: 1000})
//	…
//	e, err := srv.Commands().WaitFor(ctx, journal.Match("BLPOP queue *"))
//	renewals := srv.Commands().Find(func(e journal.Entry) bool { return e.Is("pexpire") && e.Script })
//
// When a test of StartT fails, the end of the journal is printed with it.
func (s *Server) Commands() *journal.Journal { return s.env.Hooks.(*control.Hooks).Journal }

// failReporter is the part of testing.TB by which a failed test prints the journal. A TB need not have it.
type failReporter interface {
	Failed() bool
	Logf(format string, args ...any)
}

// lastPrinted is how many commands a failed test prints.
const lastPrinted = 50

// printJournal prints the last commands of a server if the test has failed.
func (s *Server) printJournal(t TB) {
	t.Helper()
	r, ok := t.(failReporter)
	if !ok || !r.Failed() {
		return
	}
	all := s.Commands().Entries()
	if len(all) == 0 {
		return
	}
	last := all[max(len(all)-lastPrinted, 0):]
	r.Logf("the last %d commands of minilockd at %s:\n%s", len(last), s.Addr(), journal.Text(last))
}
