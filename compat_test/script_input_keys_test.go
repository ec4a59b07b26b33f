package compat

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// keySetup says how keys are prepared.
type keySetup struct {
	chance       int    // how many of ten keys exist
	withTTL      bool   // some keys have a TTL
	wrongType    bool   // one of KEYS has a value of a wrong type
	singleMember string // keys of these types have one member
}

// fill returns commands that prepare the keys of the script.
func (s *scriptInput) fill(f keySetup) [][]string {
	var commands [][]string
	done := map[string]bool{"": true}
	wrong := -1
	if f.wrongType && len(s.keys) > 0 {
		wrong = s.rnd.IntN(len(s.keys))
	}
	for _, n := range s.plan.keyNames {
		for range s.names(n) {
			key := s.text(values{n}, 0)
			if done[key] || s.rnd.IntN(10) >= f.chance {
				continue
			}
			done[key] = true
			kind := s.kindOf(n)
			if wrong >= 0 && key == s.keys[wrong] {
				kind = otherKind(kind)
			}
			commands = append(commands, s.fillKey(n, kind, key, f)...)
			if f.withTTL && s.rnd.IntN(3) == 0 {
				commands = append(commands, []string{"PEXPIRE", key, strconv.Itoa(10_000 * (3 + s.rnd.IntN(4)))})
			}
		}
	}
	return commands
}

// names returns how many keys that a value may name are prepared.
func (s *scriptInput) names(n *node) int {
	if n.kind == givenNode || n.kind == literalNode {
		return 1
	}
	return 2
}

func (s *scriptInput) kindOf(n *node) string {
	if len(n.types) == 0 {
		return []string{"string", "hash", "list", "zset"}[s.rnd.IntN(4)]
	}
	return n.types[s.rnd.IntN(len(n.types))]
}

func otherKind(kind string) string {
	if kind == "string" {
		return "list"
	}
	return "string"
}

func (s *scriptInput) fillKey(n *node, kind, key string, f keySetup) [][]string {
	switch kind {
	case "string":
		return [][]string{{"SET", key, s.generate(values{n.part(wholePart)})}}
	case "stream":
		return [][]string{{"XADD", key, "1-1", s.word(), s.word()}, {"XADD", key, "2-1", s.word(), s.word()}}
	}
	command, width, members := fillCommands[kind], 1, []string(nil)
	switch kind {
	case "hash":
		members, width = s.hashFields(n), 2
	case "zset":
		for _, member := range s.elements(n) {
			members = append(members, s.score(n), member)
		}
		width = 2
	default:
		members = s.elements(n)
	}
	if strings.Contains(f.singleMember, kind) {
		members = members[:min(width, len(members))]
	}
	if len(members) == 0 {
		return nil
	}
	return [][]string{append([]string{command, key}, members...)}
}

var fillCommands = map[string]string{"hash": "HSET", "zset": "ZADD", "list": "RPUSH", "set": "SADD"}

// hashFields returns most of the fields that the script reads, and others, with values.
func (s *scriptInput) hashFields(n *node) []string {
	var pairs []string
	for range s.rnd.IntN(3) {
		pairs = append(pairs, s.word(), s.generate(s.anyField(n)))
	}
	for _, f := range n.fields {
		if s.rnd.IntN(4) == 0 {
			continue
		}
		v := s.anyField(n)
		if f.kind == literalNode {
			v = values{n.part(fieldPart(f))}
		}
		pairs = append(pairs, s.text(values{f}, 0), s.generate(v))
	}
	return pairs
}

// anyField returns the uses of fields with names from outside.
func (s *scriptInput) anyField(n *node) values {
	v := values{n.part(elementPart)}
	for _, f := range n.fields {
		if f.kind != literalNode {
			v = v.with(n.part(fieldPart(f)))
		}
	}
	return v
}

// elements returns members or list elements: packed ones if the script unpacks them, else those it looks for and
// others.
func (s *scriptInput) elements(n *node) []string {
	var elements []string
	element := n.part(elementPart)
	for range s.rnd.IntN(5) {
		elements = append(elements, s.generate(values{element}))
	}
	if len(element.formats) > 0 {
		return elements
	}
	for _, f := range n.fields {
		if s.rnd.IntN(3) > 0 {
			elements = append(elements, s.text(values{f}, 0))
		}
	}
	return elements
}

func (s *scriptInput) score(n *node) string {
	part := n.part(scorePart)
	if part.use&asTie != 0 {
		return "0"
	}
	if len(part.equals) > 0 && s.rnd.IntN(3) == 0 {
		if _, err := strconv.ParseFloat(part.equals[0], 64); err == nil {
			return part.equals[0]
		}
	}
	return strconv.FormatInt(s.number(asScore), 10)
}

func sortedNames(named map[string]values) []string { return slices.Sorted(maps.Keys(named)) }
