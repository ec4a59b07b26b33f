// Package fault makes calls, messages and connections go wrong at the moment that a test chooses: a Rule says which,
// and an Action what happens to them. A Go test adds rules to server.Server.Faults, a client of any language with
// FAULT.ADD:
//
//	srv.Faults().Add(fault.Rule{Command: "evalsha", Key: "order:*", Nth: 2, Action: fault.LoseReply()})
//
//	FAULT.ADD COMMAND evalsha KEY order:* NTH 2 THEN LOSEREPLY
//
// The package knows neither commands nor connections: the server describes each call to it, and makes the fault happen.
package fault

import "time"

// Subject is what a rule is about. It is a set, since some actions are for several.
type Subject uint8

// The subjects.
const (
	Calls       Subject = 1 << iota // calls of clients and scripts
	Messages                        // messages to the subscribers of channels
	Connections                     // new connections
)

// Rule says when a fault happens, and what it is. It is about calls, or about messages if Channel is set, or about new
// connections if Connect is. All conditions that are set must be met; the zero value of each is none.
type Rule struct {
	// Command is the name of the command, such as "get" or "config|get", or an ACL category such as "@write".
	Command string
	// Scripted is set for calls that scripts make, instead of those that clients make.
	Scripted bool
	// Key is a pattern, as of KEYS, that one of the keys fits.
	Key string
	// Script is the SHA1 or, for a function, the name of the script that the call runs, or that makes the call.
	Script string
	// Channel is a pattern that the channel of a message fits, whether PUBLISH, SPUBLISH or a keyspace event sends it.
	// Command, Key, Script and Scripted are not for such rules.
	Channel string
	// Connect is set for new connections. Of the other conditions, those on calls, messages and Age are not for such
	// rules.
	Connect bool
	// Client is the client's id, or a pattern that its name or address fits. The client of a message is the publisher.
	Client string
	// Age is how old the connection is at least, on the server's clock.
	Age time.Duration
	// From and Until are the first moment on the server's clock, and the one after the last.
	From, Until time.Time

	// Of the calls, messages or connections that fit all of the above, Nth is the number of the only one to which the
	// fault happens; the first is 1. Every is for each one whose number is a multiple of it, Probability for each with
	// this probability, by a generator with Seed, or one of the rule's own for 0. They exclude each other.
	Nth, Every  int64
	Probability float64
	Seed        uint64
	// Times is how often the fault happens at most.
	Times int64

	Action Action
}

// Subject returns what the rule is about.
func (r *Rule) Subject() Subject {
	switch {
	case r.Channel != "":
		return Messages
	case r.Connect:
		return Connections
	}
	return Calls
}

// Listed is a rule as a server keeps it.
type Listed struct {
	ID            int64
	Rule          Rule
	Fitting, Hits int64 // how many fit the conditions, and how many of them to which the fault has happened
}
