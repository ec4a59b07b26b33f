package faults

import (
	"math/rand/v2"
	"time"

	"github.com/minilockd/minilockd/fault"
)

// counter counts what fits a rule, and decides which of them it hits. The owner's mutex guards it.
type counter struct {
	fitting, hits int64
	random        rand.PCG
}

// generator returns the generator of a rule: the same one for the same seed, otherwise one of its own.
func generator(r *fault.Rule, id int64) rand.PCG {
	if r.Seed != 0 {
		return *rand.NewPCG(r.Seed, 0)
	}
	return *rand.NewPCG(0, uint64(id))
}

// hit counts a target that fits the rule, and reports whether the fault happens.
func (n *counter) hit(r *fault.Rule) bool {
	n.fitting++
	switch {
	case r.Times > 0 && n.hits >= r.Times,
		r.Nth > 0 && n.fitting != r.Nth,
		r.Every > 0 && n.fitting%r.Every != 0,
		r.Probability > 0 && rand.New(&n.random).Float64() >= r.Probability:
		return false
	}
	n.hits++
	return true
}

// takeBack undoes hit: before is the counter as it was. Targets that were counted since stay counted.
func (n *counter) takeBack(before, after counter) {
	if n.fitting == after.fitting {
		n.random = before.random
	}
	n.fitting -= after.fitting - before.fitting
	n.hits -= after.hits - before.hits
}

// delay chooses the delay of a hit.
func (n *counter) delay(a fault.Action) time.Duration {
	d := a.Min
	if width := a.Max - d; width > 0 {
		d += time.Duration(rand.New(&n.random).Int64N(int64(width) + 1))
	}
	return d
}
