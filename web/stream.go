package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/server"
)

// A stream sends a page the state of the server twice a second, and soon after an event of a lock or a change made on a
// page; and the events of locks. Both are server-sent events: "state", "history" for all events so far, which replace
// those that the page has, and "events" for new ones.

const (
	tick = 500 * time.Millisecond // between two states, if nothing happens
	// shortest is between two states in any case: a server under load has thousands of events a second.
	shortest = 100 * time.Millisecond
	// share is the least part of the time that is left to others, as a multiple of what a state takes.
	share = 10
	// maxEvents is how many events a page is sent at once.
	maxEvents = 2000
	// writeLimit is how long a page may take to read what it is sent.
	writeLimit = 10 * time.Second
)

var realTime = clock.Real{}

// streams are the streams that run.
type streams struct{ all sync.Map } // *stream -> nothing

// notify makes all streams send the state.
func (s *streams) notify() {
	s.all.Range(func(key, _ any) bool {
		key.(*stream).notify()
		return true
	})
}

// stream is a connection of a page that receives events.
type stream struct {
	srv     *server.Server
	pattern string
	w       http.ResponseWriter
	changed chan struct{}    // capacity 1: something has changed
	events  chan locks.Event // that are not sent yet
	missed  atomic.Bool      // events was full
	rate    rate             // of commands
	encoder *json.Encoder    // to w
	control *http.ResponseController
}

// rate finds how many commands a second there are.
type rate struct {
	at    time.Time
	count int64
	last  *float64
}

// measure returns the rate since it was last measured, if that is at least a tick ago.
func (r *rate) measure(now time.Time, count int64) *float64 {
	if passed := now.Sub(r.at); r.at.IsZero() || passed >= tick {
		if !r.at.IsZero() {
			perSecond := max(0, float64(count-r.count)/passed.Seconds())
			r.last = &perSecond
		}
		r.at, r.count = now, count
	}
	return r.last
}

func newStream(srv *server.Server, w http.ResponseWriter, pattern string) *stream {
	return &stream{srv: srv, pattern: pattern, w: w, changed: make(chan struct{}, 1),
		events: make(chan locks.Event, maxEvents), encoder: json.NewEncoder(w), control: http.NewResponseController(w)}
}

// events answers with a stream: /api/events?pattern=…
func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	s := newStream(h.srv, w, r.FormValue("pattern"))
	h.streams.all.Store(s, nil)
	defer h.streams.all.Delete(s)
	stop := h.srv.Locks().Watch(s.add)
	defer stop()
	w.Header().Set("Content-Type", "text/event-stream")
	if s.sendHistory() != nil {
		return
	}
	for {
		began := realTime.Now()
		if s.send(began) != nil {
			return
		}
		pause := max(shortest, share*realTime.Now().Sub(began))
		if !s.wait(r.Context(), pause, nil) || !s.wait(r.Context(), tick, s.changed) {
			return
		}
	}
}

// wait waits for some real time, or for less if early has something. It returns false when the stream is to end.
func (s *stream) wait(ctx context.Context, d time.Duration, early <-chan struct{}) bool {
	passed := make(chan struct{})
	timer := realTime.AfterFunc(d, func() { close(passed) })
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-s.srv.Done():
		return false
	case <-early:
	case <-passed:
	}
	return true
}

func (s *stream) notify() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// add takes an event of a lock. A page that is too slow misses some, and then gets the whole history.
func (s *stream) add(e locks.Event) {
	select {
	case s.events <- e:
	default:
		s.missed.Store(true)
	}
	s.notify()
}

// take returns the events that have not been sent.
func (s *stream) take() (list []locks.Event) {
	for {
		select {
		case e := <-s.events:
			list = append(list, e)
		default:
			return list
		}
	}
}

// sendHistory sends the last events. Those that were added meanwhile are in the history, too, as its last ones, or they
// came later.
func (s *stream) sendHistory() error {
	s.missed.Store(false)
	history := s.srv.Locks().History("")
	added := s.take()
	known := len(added)
	for ; known > 0; known-- {
		if n := len(history) - known; n >= 0 && slices.Equal(history[n:], added[:known]) {
			break
		}
	}
	history = append(history, added[known:]...)
	return s.write("history", orEmpty(history[max(0, len(history)-maxEvents):]))
}

// send sends new events, and the state.
func (s *stream) send(now time.Time) error {
	if s.missed.Load() {
		if err := s.sendHistory(); err != nil {
			return err
		}
	} else if events := s.take(); len(events) > 0 {
		if err := s.write("events", events); err != nil {
			return err
		}
	}
	current := read(s.srv, s.pattern)
	current.Stats.CommandsPerSecond = s.rate.measure(now, current.Stats.Commands)
	return s.write("state", current)
}

// write sends one server-sent event.
func (s *stream) write(event string, data any) error {
	_ = s.control.SetWriteDeadline(realTime.Now().Add(writeLimit)) // a recorder in a test has none
	if _, err := fmt.Fprintf(s.w, "event: %s\ndata: ", event); err != nil {
		return err
	}
	if err := s.encoder.Encode(data); err != nil { // it ends with the end of the line
		return err
	}
	if _, err := s.w.Write([]byte("\n")); err != nil {
		return err
	}
	return s.control.Flush()
}
