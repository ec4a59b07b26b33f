package load

import (
	"bytes"
	"fmt"
)

// worker is one thread of a simulated client: it has at most one command under way.
type worker struct {
	requests []request
	step     int // the request under way or next
	cycle    int // the step that a cycle begins with: those before it are the opening
	key      int // from first on, below first + keys
	first    int
	keys     int
}

// newWorker makes worker number of as many as the spec describes.
func newWorker(spec *Spec, number int) *worker {
	w := &worker{keys: spec.ownKeys(), first: number * spec.ownKeys(), cycle: len(spec.Opening)}
	if spec.SharedKeys > 0 {
		w.keys, w.first = spec.SharedKeys, 0
	}
	// Workers start on different keys, so that shared ones are evenly wanted from the first batch on.
	w.key = w.first + number%w.keys
	for _, step := range spec.script() {
		w.requests = append(w.requests, newRequest(step.Args, number))
	}
	w.setKeys()
	return w
}

// request is what to send now.
func (w *worker) request() request { return w.requests[w.step] }

// reply handles the reply to the current request and advances to the next step; rejected reports that the cycle ended
// early.
func (w *worker) reply(steps []Step, answer []byte) (rejected bool, err error) {
	step := &steps[w.step]
	switch {
	case answer[0] == '-':
		err = fmt.Errorf("%s answered %q", step.name(), answer)
	case bytes.HasPrefix(answer, []byte(step.Want)):
		w.advance(w.step + 1)
	case step.Rejected != "" && bytes.HasPrefix(answer, []byte(step.Rejected)):
		w.advance(len(steps))
		rejected = true
	default:
		err = fmt.Errorf("%s answered %.200q, wanted %.200q", step.name(), answer, step.Want)
	}
	return rejected, err
}

// advance goes to a step; past the last one it begins the next cycle, after the opening, with the next key. A worker
// with a single key does not encode it again.
func (w *worker) advance(step int) {
	w.step = step
	if step < len(w.requests) {
		return
	}
	w.step = w.cycle
	if w.keys > 1 {
		w.key = w.first + (w.key-w.first+1)%w.keys
		w.setKeys()
	}
}

// setKeys writes the number of the current key into all requests.
func (w *worker) setKeys() {
	for _, request := range w.requests {
		request.setKey(w.key)
	}
}
