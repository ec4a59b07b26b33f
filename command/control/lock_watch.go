package control

import (
	"sync"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/locks"
)

// watcher calls a function with events, in their order and outside the transactions that they are of.
type watcher struct {
	call func(locks.Event)
	done chan struct{} // closed when the function has been called for the last time

	mu      lockrank.Mutex[lockrank.LockWatcher] // guards what follows
	changed *sync.Cond
	events  []locks.Event
	stopped bool
}

// Watch calls f with each event from now on, one after the other, in a goroutine of its own. stop ends that: when it
// returns, f runs no more; f must not call it.
func (l *Locks) Watch(f func(locks.Event)) (stop func()) {
	w := &watcher{call: f, done: make(chan struct{})}
	w.changed = sync.NewCond(&w.mu)
	l.watchers.Store(w, nil)
	go w.run()
	return func() {
		l.watchers.Delete(w)
		w.stop()
	}
}

// put adds an event; it does not wait.
func (w *watcher) put(e locks.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
	w.changed.Signal()
}

func (w *watcher) stop() {
	w.mu.Lock()
	w.stopped = true
	w.changed.Signal()
	w.mu.Unlock()
	<-w.done
}

func (w *watcher) run() {
	defer close(w.done)
	for {
		events, more := w.take()
		if !more {
			return
		}
		for _, e := range events {
			w.call(e)
		}
	}
}

// take waits for events and returns them; more is false when the watcher is stopped.
func (w *watcher) take() (events []locks.Event, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.events) == 0 && !w.stopped {
		w.changed.Wait()
	}
	events, w.events = w.events, nil
	return events, !w.stopped
}
