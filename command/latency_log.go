package command

import (
	"maps"
	"slices"
	"sync"
)

// latencySamples is how many samples of an event are kept (latency monitor documentation).
const latencySamples = 160

// latencyLog keeps the samples of events that took at least latency-monitor-threshold. The zero value is empty; it is safe for
// concurrent use.
type latencyLog struct {
	mu     sync.Mutex // guards events
	events map[string]*latencyEvent
}

// latencyEvent is the latest samples, oldest first, and the longest of all times.
type latencyEvent struct {
	samples []latencySample
	longest int64 // ms
}

type latencySample struct{ second, ms int64 }

// add takes a sample. Of several in the same second the longest is kept.
func (l *latencyLog) add(event string, second, ms int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.events[event]
	if e == nil {
		if l.events == nil {
			l.events = make(map[string]*latencyEvent)
		}
		e = new(latencyEvent)
		l.events[event] = e
	}
	e.longest = max(e.longest, ms)
	if last := len(e.samples) - 1; last >= 0 && e.samples[last].second == second {
		e.samples[last].ms = max(e.samples[last].ms, ms)
		return
	}
	e.samples = append(e.samples, latencySample{second, ms})
	if extra := len(e.samples) - latencySamples; extra > 0 {
		e.samples = slices.Delete(e.samples, 0, extra)
	}
}

// of is a copy of an event; ok is false where there was none.
func (l *latencyLog) of(event string) (e latencyEvent, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.events[event]
	if found == nil {
		return latencyEvent{}, false
	}
	return latencyEvent{slices.Clone(found.samples), found.longest}, true
}

// names lists the events, sorted.
func (l *latencyLog) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.events))
}

// reset forgets the events, or all if none is named, and returns how many there were.
func (l *latencyLog) reset(events []string) (n int64) {
	if len(events) == 0 {
		events = l.names()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range events {
		if l.events[event] != nil {
			delete(l.events, event)
			n++
		}
	}
	return n
}
