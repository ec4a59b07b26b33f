package server

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/version"
)

// TB is the part of testing.TB that StartT needs.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// StartT starts a server for a test and closes it when the test ends. Without options it listens on a free port. Fields
// that are set in later Options override those in earlier ones.
//
// If the test calls Advance, lock clients must use the server's clock: lock.New(rdb, lock.WithClock(srv.Clock())).
//
// In a bubble of testing/synctest the server listens on no address: connect by Dial or DialContext. Its clock is then
// that of the bubble, so that a lease lapses when the test sleeps, which takes no real time.
func StartT(t TB, options ...Options) *Server {
	t.Helper()
	s, err := Start(context.Background(), join(options))
	if err != nil {
		t.Fatalf("starting minilockd: %v", err)
		return nil
	}
	t.Cleanup(func() { closeT(t, s) })
	return s
}

// StartN is StartT for n servers, such as those of a lock.Red or a lock.Multi: servers that share nothing but their
// clock, so that a lock client can use that clock for all of them. Advance, and CLOCK.ADVANCE, of one moves the time of
// all. For servers whose clocks differ, call StartT for each.
func StartN(t TB, n int, options ...Options) []*Server {
	t.Helper()
	all := join(options)
	all.clock = clock.NewOffset(clock.Real{})
	servers := make([]*Server, 0, n)
	t.Cleanup(func() { closeT(t, servers...) })
	for range n {
		s, err := Start(context.Background(), all)
		if err != nil {
			t.Fatalf("starting minilockd: %v", err)
			return nil
		}
		servers = append(servers, s)
	}
	return servers
}

// join returns the options of StartT as one.
func join(options []Options) (all Options) {
	for _, o := range options {
		all.apply(o)
	}
	return all
}

// closeT closes the servers of a test, which share a clock if they are several. It fails the test if the state of one
// is inconsistent then, or if something of a client is left: that is a bug of the server.
func closeT(t TB, servers ...*Server) {
	t.Helper()
	for _, s := range servers {
		_ = s.Close()
		s.printJournal(t)
	}
	for _, s := range servers {
		if err := s.check(); err != nil {
			t.Fatalf("minilockd "+version.Module()+" is at fault, not the test. Please report this, with the test: %v", err)
		}
	}
}

// check returns an error if something is left that Close should have ended.
func (s *Server) check() error {
	s.mu.Lock()
	conns := len(s.conns)
	s.mu.Unlock()
	if timers := s.clock.PendingTimers(); conns != 0 || timers != 0 {
		return fmt.Errorf("%d connections and %d timers are left", conns, timers)
	}
	return s.env.CheckNoClients()
}

// inBubble reports whether the caller runs in a bubble of testing/synctest. Only the header of a stack shows it:
// "goroutine 7 [running, synctest bubble 1]:".
func inBubble() bool {
	var stack [128]byte
	header, _, _ := bytes.Cut(stack[:runtime.Stack(stack[:], false)], []byte("\n"))
	return bytes.Contains(header, []byte("synctest bubble"))
}
