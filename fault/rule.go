// Package fault makes commands go wrong at the moment that a test chooses: a Rule says which calls of which clients, and
// an Action what happens to them. A Go test adds rules to server.Server.Faults, a client of any language with FAULT.ADD:
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
	Command  string        // the name, such as "get" or "config|get", or an ACL category such as "@write"
	Scripted bool          // only calls that a script makes, instead of those that clients make
	Key      string        // a pattern, as of KEYS, that one of the keys fits
	Script   string        // the SHA1 or, for a function, the name of the script that the call runs, or that makes the call
	Client   string        // the client's id, or a pattern that its name or address fits
	Age      time.Duration // that the connection has at least

	From, Until time.Time // the first moment on the server's clock, and the one after the last

	// Of the calls that fit all of the above, which are the matches of the rule:
	Nth         int64   // only this one; the first is 1
	Every       int64   // each one whose number is a multiple
	Probability float64 // each with this probability, by a generator with Seed
	Seed        uint64
	Times       int64 // no more hits than this

	Action Action
}

// Listed is a rule as a server keeps it.
type Listed struct {
	ID            int64
	Rule          Rule
	Fitting, Hits int64 // calls that fit the conditions, and those to which the fault has happened
}
