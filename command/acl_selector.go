package command

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/glob"
)

// aclSelector is one set of commands, keys and channels that may be used together (ACL documentation: selectors). A user's
// first one is his own, the others stand in parentheses.
type aclSelector struct {
	table    *Table
	commands commandSet
	first    map[int][]string // of commands that are not allowed: first arguments that are, by the command's number
	keys     []keyPattern
	channels []string

	// keysComplete is that allkeys or ~* was given, after which Redis takes no further pattern: after %RW~* it does.
	keysComplete bool
}

// keyPattern allows to read or to write the keys that match, or both.
type keyPattern struct {
	pattern string
	access  keyAccess
}

type keyAccess uint8

const (
	mayRead keyAccess = 1 << iota
	mayWrite
)

// anyPattern matches every key or channel.
const anyPattern = "*"

func (p keyPattern) String() string {
	switch p.access {
	case mayRead:
		return "%R~" + p.pattern
	case mayWrite:
		return "%W~" + p.pattern
	}
	return "~" + p.pattern
}

// commandSet is a set of commands by number, and whether those that the future brings belong to it.
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
func (s *aclSelector) setAll(on bool) {
	s.commands.future = on
	s.table.eachWithSubcommands(func(cmd *Command) { s.commands.set(cmd, on) })
}

// allCommands reports whether no command is missing.
func (s *aclSelector) allCommands() bool {
	all := s.commands.future
	s.table.eachWithSubcommands(func(cmd *Command) { all = all && s.commands.has(cmd) })
	return all
}

func (s *aclSelector) clone() *aclSelector {
	c := &aclSelector{
		table: s.table, commands: commandSet{slices.Clone(s.commands.bits), s.commands.future},
		keys: slices.Clone(s.keys), keysComplete: s.keysComplete, channels: slices.Clone(s.channels),
	}
	for number, words := range s.first {
		c.allowFirst(number, words...)
	}
	return c
}

func (s *aclSelector) allowFirst(number int, words ...string) {
	if s.first == nil {
		s.first = make(map[int][]string)
	}
	for _, word := range words {
		if !slices.Contains(s.first[number], word) {
			s.first[number] = append(s.first[number], word)
		}
	}
}

func (s *aclSelector) allKeys() bool {
	return slices.Contains(s.keys, keyPattern{anyPattern, mayRead | mayWrite})
}

// readsAllKeys reports whether a rule lets every key be read. Only * itself is known to match them all.
func (s *aclSelector) readsAllKeys() bool {
	return slices.ContainsFunc(s.keys, func(p keyPattern) bool { return p.pattern == anyPattern && p.access&mayRead != 0 })
}

func (s *aclSelector) allChannels() bool { return slices.Contains(s.channels, anyPattern) }

// unlimited reports whether everything is allowed.
func (s *aclSelector) unlimited() bool { return s.allKeys() && s.allChannels() && s.allCommands() }

// denial is why a call is not allowed. The greater is what is told where several selectors deny it.
type denial uint8

const (
	denyNothing denial = iota
	denyCommand
	denyKey
	denyAuth
	denyChannel
)

// check reports what forbids a call, and the position of the word that does.
func (s *aclSelector) check(cmd *Command, args [][]byte) (why denial, pos int) {
	if !s.mayCall(cmd, args) {
		return denyCommand, 0
	}
	if !s.allKeys() {
		for _, key := range cmd.keysIn(args) {
			if why == denyNothing && !s.mayTouch(string(args[key.pos]), needs(key.access)) {
				why, pos = denyKey, key.pos
			}
		}
	}
	if why == denyNothing && !s.allChannels() {
		cmd.Channels.each(args, func(i int) {
			if why == denyNothing && !s.mayListen(string(args[i]), cmd.Channels.Patterns) {
				why, pos = denyChannel, i
			}
		})
	}
	return why, pos
}

func (s *aclSelector) mayCall(cmd *Command, args [][]byte) bool {
	if s.commands.has(cmd) || cmd.Flags.has(NoAuth) {
		return true
	}
	at := 1
	if cmd.parent != "" {
		at = 2
	}
	return at < len(args) && slices.Contains(s.first[cmd.number], strings.ToLower(string(args[at])))
}

// needs is what a command does with a key, of the words of its key specification.
func needs(access []string) (a keyAccess) {
	for _, word := range access {
		switch word {
		case "access":
			a |= mayRead
		case "insert", "update", "delete":
			a |= mayWrite
		}
	}
	return a
}

func (s *aclSelector) mayTouch(key string, access keyAccess) bool {
	return slices.ContainsFunc(s.keys, func(p keyPattern) bool { return p.access&access == access && glob.Match(p.pattern, key) })
}

// mayListen reports whether a channel may be used. A pattern must stand in the rules as it is.
func (s *aclSelector) mayListen(channel string, isPattern bool) bool {
	return slices.ContainsFunc(s.channels, func(p string) bool {
		return p == channel || p == anyPattern || !isPattern && glob.Match(p, channel)
	})
}

// each yields the positions of the channels.
func (c Channels) each(args [][]byte, yield func(pos int)) {
	last := c.Last
	if last < 0 {
		last += len(args)
	}
	for i := 1; i <= last; i++ {
		yield(i)
	}
}
