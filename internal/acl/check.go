package acl

// Whether a user may make a call. A call is allowed if one of the user's selectors allows all of it: the command, its
// databases, keys and channels. Rights of different selectors are not added up. Most servers have no rules at all, so
// that case costs one atomic load (User.Unlimited), and keys and channels are found only if a selector restricts them.

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/glob"
)

// Call is a call of a command to check.
type Call struct {
	Command  *Command
	Args     [][]byte
	Keys     func() []Key // of the call; called only if not all keys are allowed
	Channels func() []int // the positions of the channels among Args
	Patterns bool         // the channels are patterns

	Databases func() Databases // called only if a rule limits the databases
}

// Key is a key of a call: its position among the arguments, and what the call does with it.
type Key struct {
	Pos    int
	Access Access
}

// Decision says whether a call is allowed, and if not, what the user lacks. Where several selectors deny a call, Redis
// reports the highest: the order of the constants matters.
type Decision uint8

// The decisions.
const (
	Allowed Decision = iota
	DeniedDatabase
	DeniedCommand
	DeniedKey
	DeniedAuth // a wrong password
	DeniedChannel

	decisions // their number
)

// String is the reason that ACL LOG shows.
func (d Decision) String() string {
	return [...]string{DeniedCommand: "command", DeniedDatabase: "database", DeniedKey: "key", DeniedAuth: "auth",
		DeniedChannel: "channel"}[d]
}

// Unlimited reports whether the user may do everything. It costs one atomic load.
func (u *User) Unlimited() bool { return u.limits.Load() == nil }

// Check reports whether the user may make the call, and the position of the argument that is denied. If no selector
// allows the call, the result is that of the selector which came furthest: the highest Decision, then the last
// argument, as in Redis (ACLCheckAllUserCommandPerm).
func (u *User) Check(call *Call) (d Decision, pos int) {
	limits := u.limits.Load()
	if limits == nil {
		return Allowed, 0
	}
	for _, s := range limits.selectors {
		denied, at := s.check(call)
		if denied == Allowed {
			return Allowed, 0
		}
		if denied > d || denied == d && at > pos {
			d, pos = denied, at
		}
	}
	return d, pos
}

// MayReadAnyKey reports whether the user may make a call that reads keys which its arguments do not name, as SORT does
// with BY and GET: one selector must allow both the call and reading every key.
func (u *User) MayReadAnyKey(call *Call) bool {
	limits := u.limits.Load()
	return limits == nil || slices.ContainsFunc(limits.selectors, func(s *Selector) bool {
		if !s.readsAllKeys() {
			return false
		}
		d, _ := s.check(call)
		return d == Allowed
	})
}

// MaySubscribe reports whether one selector allows all these channels and patterns.
func (u *User) MaySubscribe(channels, patterns []string) bool {
	return slices.ContainsFunc(u.rules.Load().selectors, func(s *Selector) bool {
		return !slices.ContainsFunc(channels, func(name string) bool { return !s.mayListen(name, false) }) &&
			!slices.ContainsFunc(patterns, func(name string) bool { return !s.mayListen(name, true) })
	})
}

// check checks a call in the order of Redis: the command, then its databases, its keys and its channels. pos is that of
// the first argument that is denied, 0 if it is the command or the selected database.
func (s *Selector) check(call *Call) (d Decision, pos int) {
	if !s.mayCall(call) {
		return DeniedCommand, 0
	}
	if ok, at := s.mayUse(call); !ok {
		return DeniedDatabase, at
	}
	if !s.allKeys() {
		for _, key := range call.Keys() {
			if !s.mayTouch(string(call.Args[key.Pos]), key.Access) {
				return DeniedKey, key.Pos
			}
		}
	}
	if !s.allChannels() {
		for _, i := range call.Channels() {
			if !s.mayListen(string(call.Args[i]), call.Patterns) {
				return DeniedChannel, i
			}
		}
	}
	return Allowed, 0
}

// mayCall reports whether the selector allows the command itself, or the command with this first argument (+select|0).
func (s *Selector) mayCall(call *Call) bool {
	cmd := call.Command
	if s.commands.has(cmd) || cmd.Exempt {
		return true
	}
	at := cmd.Argument
	return at < len(call.Args) && slices.Contains(s.first[cmd.number], strings.ToLower(string(call.Args[at])))
}

// mayTouch reports whether one pattern allows all of the access to a key: %R~a and %W~a* together do not allow to read
// and write a.
func (s *Selector) mayTouch(key string, access Access) bool {
	return slices.ContainsFunc(s.keys, func(p keyPattern) bool {
		return p.access&access == access && glob.Match(p.pattern, key)
	})
}

// mayListen reports whether a channel may be used. A pattern must be written in the rules exactly as it is.
func (s *Selector) mayListen(channel string, isPattern bool) bool {
	return slices.ContainsFunc(s.channels, func(p string) bool {
		return p == channel || p == anyPattern || !isPattern && glob.Match(p, channel)
	})
}
