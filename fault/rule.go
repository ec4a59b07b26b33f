// Package fault makes commands go wrong at the moment that a test chooses: a Rule says which calls, and an Action what
// happens to them. A Go test adds rules to server.Server.Faults, a client of any language with FAULT.ADD:
//
//	srv.Faults().Add(fault.Rule{Command: "evalsha", Key: "order:*", Nth: 2, Action: fault.LoseReply()})
//
//	FAULT.ADD COMMAND evalsha KEY order:* NTH 2 THEN LOSEREPLY
//
// The package knows neither commands nor connections: the server describes each call to it, and makes the fault happen.
package fault

import "time"

// Rule says when a fault happens, and what it is. A call must fit all conditions that are set; the zero value of each
// is none.
type Rule struct {
	// Command is the name of the command, such as "get" or "config|get", or an ACL category such as "@write".
	Command string
	// Scripted is set for calls that scripts make, instead of those that clients make.
	Scripted bool
	// Key is a pattern, as of KEYS, that one of the keys fits.
	Key string
	// Script is the SHA1 or, for a function, the name of the script that the call runs, or that makes the call.
	Script string
	// Client is the client's id, or a pattern that its name or address fits.
	Client string
	// Age is how old the connection is at least, on the server's clock.
	Age time.Duration
	// From and Until are the first moment on the server's clock, and the one after the last.
	From, Until time.Time

	// Of the calls that fit all of the above, Nth is the number of the only one to which the fault happens; the first is
	// 1. Every is for each one whose number is a multiple of it, Probability for each with this probability, by a
	// generator with Seed, or one of the rule's own for 0. They exclude each other.
	Nth, Every  int64
	Probability float64
	Seed        uint64
	// Times is how often the fault happens at most.
	Times int64

	Action Action
}

// Listed is a rule as a server keeps it.
type Listed struct {
	ID            int64
	Rule          Rule
	Fitting, Hits int64 // calls that fit the conditions, and those to which the fault has happened
}
