package command

import (
	"math"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
)

// FoundKey is a key of a call: the position of its word, and what becomes of it.
type FoundKey struct {
	Pos    int
	Access []string
}

// KeysIn finds the keys of a call as Redis does for COMMAND GETKEYS and for ACL rules: by the specifications if these
// lead to all of them, else by looking at the words once more. A call that makes no sense has none.
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

// positions are those of the keys that the specification leads to. It is not ok if it does not tell all, or makes no
// sense here.
func (s *KeySpec) positions(args [][]byte) (positions []int, ok bool) {
	first := s.Index
	switch {
	case s.Unknown():
		return nil, false
	case s.is("not_key"):
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
	return positions, !s.is("incomplete")
}

func (s *KeySpec) is(mark string) bool { return slices.Contains(s.AccessFlags(), mark) }

// bounds are the positions of the first and the last key, where the search led to first.
func (s *KeySpec) bounds(args [][]byte, first int) (from, to int, ok bool) {
	switch {
	case s.Count:
		if first >= len(args) {
			return 0, 0, false
		}
		n, ok := num.ParseInt(args[first])
		return first + 1, first + int(int32(n)), ok && n >= 0
	case s.Last >= 0:
		return first, first + s.Last, true
	case s.Limit > 1:
		return first, first + (len(args)-first)/s.Limit + s.Last, true
	}
	return first, len(args) + s.Last, true
}

// afterKeyword is the position behind the keyword, 0 if it is not there. From a negative word on it is looked for
// backwards. The last word in that direction is never the keyword: nothing would follow it.
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

// keysByLook finds the keys that no specification leads to. What becomes of counted ones it does not know.
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

// leadingInt is the number that a word begins with, behind blanks, as C's atoi reads it; 0 if there is none.
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
