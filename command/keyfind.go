package command

// Finding the keys of a call from its key specifications, for COMMAND GETKEYS and ACL rules. As in Redis
// (getKeysFromCommandWithSpecs), where a specification is unknown or incomplete, or does not fit the arguments, the
// row's Keys decide, as for locking. The hot path of a call never comes here: it uses Keys.locks.

import (
	"math"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
)

// FoundKey is a key of a call: its position among the arguments, and the flags of its key specification.
type FoundKey struct {
	Pos    int
	Access []string
}

// KeysIn returns the keys of a call, none if the arguments are invalid.
func (c *Command) KeysIn(args [][]byte) []FoundKey {
	specs := c.KeySpecs()
	if c.AccessOf != nil {
		return []FoundKey{{specs[0].Index, strings.Fields(c.AccessOf(args))}}
	}
	var found []FoundKey
	for i := range specs {
		positions, ok := specs[i].positions(args)
		if !ok {
			return c.keysWithoutSpecs(args)
		}
		for _, pos := range positions {
			found = append(found, FoundKey{pos, specs[i].AccessFlags()})
		}
	}
	return found
}

// positions returns the positions of the keys of one specification. ok is false if it is unknown or incomplete, or if
// the arguments do not fit it.
func (s *KeySpec) positions(args [][]byte) (positions []int, ok bool) {
	first := s.Index
	switch {
	case s.Unknown():
		return nil, false
	case s.hasFlag("not_key"):
		return nil, true
	case s.Keyword != "":
		if first = s.afterKeyword(args); first == 0 {
			return nil, true
		}
	}
	first, last, ok := s.bounds(args, first)
	if !ok || last >= len(args) || last < first || first >= len(args) {
		return nil, false
	}
	for pos := first; pos <= last; pos += max(s.Step, 1) {
		positions = append(positions, pos)
	}
	return positions, !s.hasFlag("incomplete") && !s.hasFlag("variable_flags")
}

func (s *KeySpec) hasFlag(flag string) bool { return slices.Contains(s.AccessFlags(), flag) }

// bounds returns the positions of the first and the last key ("find keys"), first being the result of "begin search".
func (s *KeySpec) bounds(args [][]byte, first int) (from, to int, ok bool) {
	switch {
	case s.Count:
		if first >= len(args) {
			return 0, 0, false
		}
		n, ok := num.ParseInt(args[first])
		return first + 1, first + 1 + (int(int32(n))-1)*max(s.Step, 1), ok && n >= 0
	case s.Last >= 0:
		return first, first + s.Last, true
	case s.Limit > 1:
		return first, first + (len(args)-first)/s.Limit + s.Last, true
	}
	return first, len(args) + s.Last, true
}

// afterKeyword returns the position after the keyword, 0 if there is no keyword. A negative From searches backwards
// from the end. The last argument in the direction of the search is never the keyword, since no key would follow it.
func (s *KeySpec) afterKeyword(args [][]byte) int {
	if s.From < 0 {
		for i := len(args) + s.From; i > 1; i-- {
			if EqualFold(args[i], s.Keyword) {
				return i + 1
			}
		}
		return 0
	}
	for i := s.From; i < len(args)-1; i++ {
		if EqualFold(args[i], s.Keyword) {
			return i + 1
		}
	}
	return 0
}

// keysWithoutSpecs finds the keys by the row's Keys. For keys after a numkeys it does not know the flags.
func (c *Command) keysWithoutSpecs(args [][]byte) (found []FoundKey) {
	k := c.Keys
	switch {
	case k.Find != nil:
		k.each(args, func(pos int) { found = append(found, FoundKey{pos, c.access(pos)}) })
	case k.Count > 0 && k.Count < len(args):
		n := leadingInt(args[k.Count])
		if n < 1 || n > len(args)-k.Count-1 {
			return nil
		}
		for pos := k.Count + 1; pos <= k.Count+n; pos++ {
			found = append(found, FoundKey{Pos: pos})
		}
		if k.First > 0 {
			found = append(found, FoundKey{Pos: k.First})
		}
	}
	return found
}

// leadingInt parses the beginning of an argument like atoi in C, within 32 bits.
func leadingInt(word []byte) int {
	i, n := 0, int64(0)
	for i < len(word) && (word[i] == ' ' || '\t' <= word[i] && word[i] <= '\r') {
		i++
	}
	negative := i < len(word) && word[i] == '-'
	if negative || i < len(word) && word[i] == '+' {
		i++
	}
	for ; i < len(word) && '0' <= word[i] && word[i] <= '9' && n < math.MaxInt32; i++ {
		n = min(n*10+int64(word[i]-'0'), math.MaxInt32)
	}
	if negative {
		return -int(n)
	}
	return int(n)
}
