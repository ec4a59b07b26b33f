package stats

import (
	"maps"
	"slices"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// latencySamples is how many samples of an event are kept (latency monitor documentation).
const latencySamples = 160

// LatencyLog keeps the samples of events that lasted at least latency-monitor-threshold. The zero value is empty; it
// is safe for concurrent use.
type LatencyLog struct {
	mu     lockrank.Mutex[lockrank.LatencyLog] // guards events
	events map[string]*LatencyEvent
}

// LatencyEvent is the latest samples, oldest first, and the longest ever in ms.
type LatencyEvent struct {
	Samples []LatencySample
	Longest int64
}

// LatencySample is the longest duration within a second, in ms.
type LatencySample struct{ Second, MS int64 }

// Highest is the longest duration among the samples, in ms.
func (e *LatencyEvent) Highest() (ms int64) {
	for _, s := range e.Samples {
		ms = max(ms, s.MS)
	}
	return ms
}

// Add adds a sample. Of several in the same second the longest is kept.
func (l *LatencyLog) Add(event string, second, ms int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.events[event]
	if e == nil {
		if l.events == nil {
			l.events = make(map[string]*LatencyEvent)
		}
		e = new(LatencyEvent)
		l.events[event] = e
	}
	e.Longest = max(e.Longest, ms)
	if last := len(e.Samples) - 1; last >= 0 && e.Samples[last].Second == second {
		e.Samples[last].MS = max(e.Samples[last].MS, ms)
		return
	}
	e.Samples = append(e.Samples, LatencySample{second, ms})
	if extra := len(e.Samples) - latencySamples; extra > 0 {
		e.Samples = slices.Delete(e.Samples, 0, extra)
	}
}

// Get returns a copy of an event; ok is false if there was none.
func (l *LatencyLog) Get(event string) (e LatencyEvent, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.events[event]
	if found == nil {
		return LatencyEvent{}, false
	}
	return LatencyEvent{slices.Clone(found.Samples), found.Longest}, true
}

// Names lists the events, sorted.
func (l *LatencyLog) Names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.events))
}

// Reset drops the events, or all if none is named, and returns how many there were.
func (l *LatencyLog) Reset(events []string) (n int64) {
	if len(events) == 0 {
		events = l.Names()
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
