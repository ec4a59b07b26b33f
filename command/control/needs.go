package control

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// part is one of the parts of this package that hooks may be on for.
type part int

const (
	faultPart part = iota
	journalPart
	lockPart
	partitionPart
	partCount
)

// needs is which hooks each part needs now.
type needs struct {
	enable func(command.HookSet) // turns on those that any part needs
	sets   [partCount]atomic.Uint32

	mu lockrank.Mutex[lockrank.HookNeeds] // guards writes of sets
}

// of returns a function that turns the hooks in set on or off for a part. It is safe for concurrent use.
func (n *needs) of(p part, set command.HookSet) func(on bool) {
	return func(on bool) {
		if on {
			n.set(p, set)
			return
		}
		n.set(p, 0)
	}
}

// set turns on the hooks in set for a part, and no others. It is safe for concurrent use.
func (n *needs) set(p part, set command.HookSet) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sets[p].Store(uint32(set))
	var all uint32
	for i := range n.sets {
		all |= n.sets[i].Load()
	}
	n.enable(command.HookSet(all))
}

// has reports whether a part needs one of the hooks in set. It is safe for concurrent use.
func (n *needs) has(p part, set command.HookSet) bool {
	return command.HookSet(n.sets[p].Load())&set != 0
}
