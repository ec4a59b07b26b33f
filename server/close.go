package server

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"
)

// Close stops listening, closes every connection and returns once all goroutines of the server have ended. If that
// takes longer than 5 s, it logs once what it waits for: to Options.Logger, or to standard error if there is none.
// Closing twice does no harm.
func (s *Server) Close() error {
	s.detach()
	s.end()
	return nil
}

// closeWarning is how long Close waits before it logs what for, as long as net/http/httptest does.
const closeWarning = 5 * time.Second

// end closes the server and waits for its goroutines.
func (s *Server) end() {
	s.shutDown()
	warning := s.closeClock.AfterFunc(closeWarning, s.logWaiting)
	defer warning.Stop()
	s.work.Wait()
	s.watchdog.close()
	s.idle.close()
	s.env.Close()
}

// shutDown begins to close the server and does not wait, so that a connection of the server may call it.
func (s *Server) shutDown() {
	defer s.leaveNetwork() // so that others of a Group see it at once
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.env.Stop()
	s.closed = true
	close(s.done)
	s.closeListeners()
	for _, c := range s.conns {
		c.driver.kill()
	}
	for _, l := range s.loops {
		l.close()
	}
}

func (s *Server) closeListeners() {
	_ = s.listener.Close()
	closeAll(s.others)
}

// logWaiting logs the connections and goroutines that Close waits for.
func (s *Server) logWaiting() {
	defer s.recoverPanic()
	log := s.options.Logger
	if s.options.discard {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	var conns []string
	s.eachConn(func(c *conn) {
		state := ""
		if c.session.Blocked() {
			state = " (blocked)"
		}
		conns = append(conns, fmt.Sprintf("client %d at %q%s", c.session.ID, c.session.Addr, state))
	})
	log.Warn("Close still waits for connections and goroutines to end", "waited", closeWarning,
		"connections", conns, "goroutines", serverGoroutines())
}

// serverGoroutines describes each goroutine that a server of this process has spawned: its state and the functions of
// this module that it runs, innermost first, so that the handler of a command comes first.
func serverGoroutines() (all []string) {
	const module, spawned = "github.com/minilockd/minilockd/", "(*Server).spawn.func" // followed by a number
	for stack := range strings.SplitSeq(allStacks(), "\n\n") {
		header, frames, _ := strings.Cut(stack, "\n")
		var calls []string
		for line := range strings.Lines(frames) {
			if call, ok := strings.CutPrefix(line, module); ok {
				calls = append(calls, call[:max(strings.LastIndexByte(call, '('), 0)])
			}
		}
		if last := len(calls) - 1; last >= 0 && strings.Contains(calls[last], spawned) {
			_, state, _ := strings.Cut(strings.TrimSuffix(header, ":"), " [")
			all = append(all, "["+state+" "+strings.Join(calls[:last], " < "))
		}
	}
	return all
}

// allStacks is the stacks of all goroutines, as far as they fit 1 MiB.
func allStacks() string {
	stacks := make([]byte, 1<<20)
	return string(stacks[:runtime.Stack(stacks, true)])
}
