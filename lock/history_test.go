package lock_test

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is the operations of clients on a lock, which porcupine checks against lockModel. Each hold is two
// operations: it begins between the call and the return of Lock, and ends after the holder last assumed that it holds.
// Between the two no other may assume so; the state on the server does not matter.
type history struct {
	mu    sync.Mutex // guards the rest
	seq   int64
	start time.Time
	ops   []porcupine.Operation
}

// step is an operation of the model.
type step struct {
	holding    int64 // which
	take       bool  // or end
	read       bool  // shared
	fencedKind bool
	token      int64
}

func (s step) String() string {
	verb := "ends"
	if s.take {
		verb = "takes"
	}
	return fmt.Sprintf("%s %d (read %t, token %d)", verb, s.holding, s.read, s.token)
}

func newHistory() *history { return &history{start: time.Now()} }

// Times of the history are those of the bubble's clock, numbered within one instant.
const perInstant = 1 << 20

// now returns a time later than all before.
func (h *history) now() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	return int64(time.Since(h.start)/time.Microsecond)*perInstant + h.seq
}

// instant returns the beginning of the current instant: what ends now does not overlap it.
func (h *history) instant() int64 { return h.now() / perInstant * perInstant }

const never = int64(1) << 62

// holding adds a hold: Lock was called at called and returned at had, the holder assumed that it holds until until, and
// it certainly had ended at over (never if unknown). A hold with until before had is not added.
func (h *history) holding(client int, s step, started, had, until, over int64) {
	if until <= had {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	s.holding, s.take = h.seq, true
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: s, Call: started, Return: had})
	s.take = false
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: s, Call: until, Return: max(over, until)})
}

// check reports whether the history is linearizable.
func (h *history) check() porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(lockModel, h.ops, 0)
}

// lockState is the holders of the lock, and the last token.
type lockState struct {
	holders []int64
	writer  bool
	token   int64
}

// lockModel is a lock with one writer or any number of readers, and increasing tokens.
var lockModel = porcupine.Model{
	Init: func() any { return lockState{} },
	Step: func(state, input, _ any) (bool, any) {
		s, in := state.(lockState), input.(step)
		if in.take {
			return s.take(in)
		}
		return s.end(in)
	},
	Equal: func(a, b any) bool {
		x, y := a.(lockState), b.(lockState)
		return x.writer == y.writer && x.token == y.token && slices.Equal(x.holders, y.holders)
	},
	DescribeOperation: func(input, _ any) string { return input.(step).String() },
}

func (s lockState) take(in step) (bool, any) {
	if len(s.holders) > 0 && (s.writer || !in.read) || in.fencedKind && in.token <= s.token {
		return false, s
	}
	holders := append(slices.Clone(s.holders), in.holding)
	slices.Sort(holders)
	return true, lockState{holders: holders, writer: !in.read, token: max(s.token, in.token)}
}

func (s lockState) end(in step) (bool, any) {
	i, found := slices.BinarySearch(s.holders, in.holding)
	if !found {
		return false, s
	}
	holders := slices.Delete(slices.Clone(s.holders), i, i+1)
	return true, lockState{holders: holders, writer: s.writer && len(holders) > 0, token: s.token}
}
