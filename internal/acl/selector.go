package acl

import (
	"slices"
)

// Selector is one set of commands, keys and channels that may be used together (ACL documentation: selectors). Each
// user has a root selector; ACL SETUSER adds others in brackets.
type Selector struct {
	known    *Commands
	commands commandSet
	first    map[int][]string // allowed first arguments of commands that are not allowed, by the command's number
	written  []string         // the rules about commands and categories since the last about all commands
	keys     []keyPattern
	channels []string

	// keysComplete is set by allkeys and ~*, after which Redis takes no further pattern; %RW~* does not set it.
	keysComplete bool

	// someDatabases is set by resetdbs and db=; then only these databases may be used, sorted.
	someDatabases bool
	databases     []int
}

// keyPattern allows to read or to write the keys that match, or both.
type keyPattern struct {
	pattern string
	access  Access
}

// Access is what a call does with a key.
type Access uint8

// The bits of Access.
const (
	Read Access = 1 << iota
	Write
)

// anyPattern matches every key or channel.
const anyPattern = "*"

func (p keyPattern) String() string {
	switch p.access {
	case Read:
		return "%R~" + p.pattern
	case Write:
		return "%W~" + p.pattern
	}
	return "~" + p.pattern
}

// commandSet is a set of commands, one bit for the number of each. future is set by +@all and says that commands which
// modules add later belong to it; ACL LIST starts from it.
type commandSet struct {
	bits   []uint64
	future bool
}

func (s *commandSet) has(cmd *Command) bool {
	i := cmd.number / 64
	return i < len(s.bits) && s.bits[i]>>(cmd.number%64)&1 != 0
}

func (s *commandSet) set(cmd *Command, on bool) {
	i, bit := cmd.number/64, uint64(1)<<(cmd.number%64)
	for len(s.bits) <= i {
		s.bits = append(s.bits, 0)
	}
	s.bits[i] &^= bit
	if on {
		s.bits[i] |= bit
	}
}

// setAll allows all commands, or none.
func (s *Selector) setAll(on bool) {
	s.commands.future = on
	for _, cmd := range s.known.all {
		s.commands.set(cmd, on)
	}
}

// allCommands reports whether no command is missing.
func (s *Selector) allCommands() bool {
	return s.commands.future && !slices.ContainsFunc(s.known.all,
		func(cmd *Command) bool { return !s.commands.has(cmd) })
}

// clone returns a deep copy, which may be changed.
func (s *Selector) clone() *Selector {
	c := &Selector{
		known: s.known, commands: commandSet{slices.Clone(s.commands.bits), s.commands.future},
		keys: slices.Clone(s.keys), keysComplete: s.keysComplete, channels: slices.Clone(s.channels),
		written: slices.Clone(s.written), someDatabases: s.someDatabases, databases: slices.Clone(s.databases),
	}
	for number, words := range s.first {
		c.allowFirst(number, words...)
	}
	return c
}

// allowFirst allows a command with first arguments, each once.
func (s *Selector) allowFirst(number int, words ...string) {
	if s.first == nil {
		s.first = make(map[int][]string)
	}
	for _, word := range words {
		if !slices.Contains(s.first[number], word) {
			s.first[number] = append(s.first[number], word)
		}
	}
}

// allKeys reports whether every key may be read and written, by allkeys, ~* or %RW~*.
func (s *Selector) allKeys() bool {
	return slices.Contains(s.keys, keyPattern{anyPattern, Read | Write})
}

// readsAllKeys reports whether a rule allows reading every key. Only * itself is known to match them all.
func (s *Selector) readsAllKeys() bool {
	return slices.ContainsFunc(s.keys, func(p keyPattern) bool { return p.pattern == anyPattern && p.access&Read != 0 })
}

func (s *Selector) allChannels() bool { return slices.Contains(s.channels, anyPattern) }

// unlimited reports whether everything is allowed.
func (s *Selector) unlimited() bool {
	return s.allKeys() && s.allChannels() && !s.someDatabases && s.allCommands()
}
