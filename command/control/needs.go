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
	partCount
)

// needs is which hooks each part needs now.
type needs struct {
	enable func(command.HookSet) // turns on those that any part needs
	on     [partCount]atomic.Bool

	mu   lockrank.Mutex[lockrank.HookNeeds] // guards what follows, and writes of on
	sets [partCount]command.HookSet
}

// of returns a function that turns the hooks in set on or off for a part. It is safe for concurrent use.
func (n *needs) of(p part, set command.HookSet) func(on bool) {
	return func(on bool) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.on[p].Store(on)
		n.sets[p] = 0
		if on {
			n.sets[p] = set
		}
		var all command.HookSet
		for _, set := range n.sets {
			all |= set
		}
		n.enable(all)
	}
}
