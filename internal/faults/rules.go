// Package faults decides which calls, messages and connections go wrong, by the rules of package fault. It knows
// neither commands nor connections: the server describes each target to it, and makes the fault happen.
package faults

import (
	"slices"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// Rules are the rules of a server, in the order in which they were added. All methods are safe for concurrent use.
type Rules struct {
	changed func(about fault.Subject) // told what there are rules about; called under mu

	mu     lockrank.Mutex[lockrank.FaultRules] // guards the fields below
	rules  []*activeRule
	lastID int64
}

// NewRules returns an empty list. It calls changed with the subjects of the rules, each time when these may have
// changed.
func NewRules(changed func(about fault.Subject)) *Rules { return &Rules{changed: changed} }

// activeRule is a rule with what it has counted.
type activeRule struct {
	fault.Rule
	id      int64
	counter counter
	removed chan struct{} // closed when the rule is removed, which ends faults that last
}

// Hit is a fault that happens.
type Hit struct {
	ID      int64 // of the rule
	Action  fault.Action
	Delay   time.Duration   // the one that was chosen between Action.Min and Max
	Removed <-chan struct{} // closed when the rule is removed
}

// Add adds a rule, which Check has found valid, behind all others and returns its id.
func (r *Rules) Add(rule fault.Rule) (id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastID++
	r.rules = append(r.rules, &activeRule{Rule: rule, id: r.lastID, removed: make(chan struct{}),
		counter: counter{random: generator(&rule, r.lastID)}})
	r.changedLocked()
	return r.lastID
}

// Remove removes a rule and reports whether there was one with the id.
func (r *Rules) Remove(id int64) bool {
	return r.remove(func(a *activeRule) bool { return a.id == id }) > 0
}

// Clear removes all rules and returns how many there were.
func (r *Rules) Clear() int { return r.remove(func(*activeRule) bool { return true }) }

func (r *Rules) remove(which func(*activeRule) bool) (removed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = slices.DeleteFunc(r.rules, func(a *activeRule) bool {
		if !which(a) {
			return false
		}
		removed++
		close(a.removed)
		return true
	})
	r.changedLocked()
	return removed
}

func (r *Rules) changedLocked() {
	var about fault.Subject
	for _, a := range r.rules {
		about |= a.Subject()
	}
	r.changed(about)
}

// List returns the rules in their order.
func (r *Rules) List() []fault.Listed {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]fault.Listed, len(r.rules))
	for i, a := range r.rules {
		list[i] = fault.Listed{ID: a.id, Rule: a.Rule, Fitting: a.counter.fitting, Hits: a.counter.hits}
	}
	return list
}

// Hits returns how often the fault of a rule has happened; ok is false if there is no rule with the id.
func (r *Rules) Hits(id int64) (hits int64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.rules {
		if a.id == id {
			return a.counter.hits, true
		}
	}
	return 0, false
}

// Next counts a target and returns the fault that happens to it, by the first rule that hits it. takeBack makes the
// rules forget the target, as if it had not been there.
func (r *Rules) Next(t *Target) (h Hit, takeBack func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var undo []func()
	for _, a := range r.rules {
		if !a.fits(t) {
			continue
		}
		before := a.counter
		switch {
		case ok:
			a.counter.fitting++
		case a.counter.hit(&a.Rule):
			ok, h = true, Hit{ID: a.id, Action: a.Action, Delay: a.counter.delay(a.Action), Removed: a.removed}
		}
		after := a.counter
		undo = append(undo, func() { a.counter.takeBack(before, after) })
	}
	return h, func() { r.takeBack(undo) }, ok
}

func (r *Rules) takeBack(undo []func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range undo {
		f()
	}
}
