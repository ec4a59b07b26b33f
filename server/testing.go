package server

import (
	"bytes"
	"context"
	"errors"
	"runtime"
)

// TB is what StartT needs of a *testing.T or *testing.B.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// StartT starts a server for one test and closes it when the test ends. Without options it listens on a free port; of several
// Options the fields that are set count, those of later ones more.
//
// If the test uses Advance, lock clients must go by the server's clock: lock.New(rdb, lock.WithClock(srv.Clock())).
//
// In a bubble of testing/synctest, where network connections hang, the test fails at once unless Options.Listener is one of
// in-memory connections, such as those of net.Pipe.
func StartT(t TB, options ...Options) *Server {
	t.Helper()
	var all Options
	for _, o := range options {
		all.apply(o)
	}
	s, err := Start(context.Background(), all)
	if err != nil {
		t.Fatalf("starting minilockd: %v", err)
		return nil
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var errBubble = errors.New("within a bubble of testing/synctest network connections hang: " +
	"set Options.Listener to one whose connections are made of net.Pipe, and no UnixSocket")

// inBubble reports whether the caller runs in a bubble of testing/synctest. The package does not tell; the header of a stack does:
// "goroutine 7 [running, synctest bubble 1]:".
func inBubble() bool {
	var stack [128]byte
	header, _, _ := bytes.Cut(stack[:runtime.Stack(stack[:], false)], []byte("\n"))
	return bytes.Contains(header, []byte("synctest bubble"))
}
