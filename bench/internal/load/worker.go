package load

import (
	"bytes"
	"fmt"
)

// worker is one thread of a simulated client: it has at most one command under way.
type worker struct {
	requests []request
	step     int // the request under way or next
	key      int // from first on, below first + keys
	first    int
	keys     int
}

// newWorker makes worker number of as many as the spec describes.
func newWorker(spec *Spec, number int) *worker {
	w := &worker{keys: ownKeys, first: number * ownKeys}
	if spec.SharedKeys > 0 {
		w.keys, w.first = spec.SharedKeys, 0
	}
	// Workers start on different keys, so that shared ones are evenly wanted from the first batch on.
	w.key = w.first + number%w.keys
	for _, step := range spec.Steps {
		w.requests = append(w.requests, newRequest(step.Args, number))
	}
	w.setKeys()
	return w
}

// request is what to send now.
func (w *worker) request() []byte { return w.requests[w.step].bytes }

// reply takes the answer to the request under way and moves on; refused tells that the cycle was cut short.
func (w *worker) reply(steps []Step, answer []byte) (refused bool, err error) {
	step := &steps[w.step]
	switch {
	case answer[0] == '-':
		err = fmt.Errorf("%s answered %q", step.Args[0], answer)
	case bytes.HasPrefix(answer, []byte(step.Want)):
		w.advance(w.step + 1)
	case step.Refused != "" && bytes.HasPrefix(answer, []byte(step.Refused)):
		w.advance(len(steps))
		refused = true
	default:
		err = fmt.Errorf("%s answered %q, wanted %q", step.Args[0], answer, step.Want)
	}
	return refused, err
}

// advance goes to a step; past the last one it begins the next cycle with the next key.
func (w *worker) advance(step int) {
	w.step = step
	if step < len(w.requests) {
		return
	}
	w.step = 0
	w.key = w.first + (w.key-w.first+1)%w.keys
	w.setKeys()
}

func (w *worker) setKeys() {
	for _, request := range w.requests {
		request.setKey(w.key)
	}
}
