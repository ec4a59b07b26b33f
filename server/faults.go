package server

import (
	"fmt"

	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/fault"
)

// Faults are the rules by which calls, messages and connections go wrong; see package fault. The commands FAULT.ADD,
// FAULT.LIST and so on do the same over a connection. All methods are safe for concurrent use.
type Faults interface {
	// Add adds a rule behind all others and returns its id. It panics if the rule could never hit anything: if its parts
	// exclude each other, or there is no such command or ACL category.
	Add(rule fault.Rule) (id int64)
	// Remove removes a rule and reports whether there was one with the id. Calls that it lets hang run now.
	Remove(id int64) bool
	// Clear removes all rules and returns how many there were.
	Clear() int
	// List returns the rules in their order.
	List() []fault.Listed
	// Hits returns how often the fault of a rule has happened; ok is false if there is no rule with the id.
	Hits(id int64) (hits int64, ok bool)
}

// Faults returns the rules of the server. There are none at first.
func (s *Server) Faults() Faults { return faults{s.control().Faults} }

// faults is a Faults whose Add panics.
type faults struct{ *control.Faults }

// Add implements Faults.
func (f faults) Add(rule fault.Rule) (id int64) {
	id, err := f.Faults.Add(rule)
	if err != nil {
		panic("server: " + err.Error())
	}
	return id
}

// FaultError is the error of Start for a rule of Options.Faults.
type FaultError struct {
	Index int   // of the rule
	Err   error // what is wrong with it, as FAULT.ADD replies it
}

// Error implements error.
func (e *FaultError) Error() string { return fmt.Sprintf("rule %d of Faults: %v", e.Index+1, e.Err) }

// Unwrap returns Err.
func (e *FaultError) Unwrap() error { return e.Err }

// addFaults adds the rules of Options.
func (s *Server) addFaults(rules []fault.Rule) error {
	for i, rule := range rules {
		if _, err := s.control().Faults.Add(rule); err != nil {
			return &FaultError{i, err}
		}
	}
	return nil
}
