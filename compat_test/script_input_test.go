package compat

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scriptInput makes the keys, the arguments and the data for some calls of one script, from a seed.
type scriptInput struct {
	rnd   *rand.Rand
	plan  *scriptPlan
	now   int64            // milliseconds
	texts map[*node]string // the values of KEYS and ARGV
	keys  []string
	count int      // number of arguments if the script takes any number
	words []string // few, so that keys, fields and arguments are often equal
}

// inputWords are few, so that members of one key are fields of another, and arguments are often existing members.
var inputWords = []string{"alpha", "beta", "7", "42", "g\x00\xff\r\n"}

func newScriptInput(rnd *rand.Rand, plan *scriptPlan, keys int) *scriptInput {
	s := &scriptInput{rnd: rnd, plan: plan, now: time.Now().UnixMilli(), texts: map[*node]string{}}
	s.count = []int{0, 1, 2, 3, 4, 6, 6}[rnd.IntN(7)]
	for _, i := range rnd.Perm(len(inputWords))[:1+rnd.IntN(len(inputWords))] {
		s.words = append(s.words, inputWords[i])
	}
	if keys < 0 {
		keys = plan.keys.lastNamed()
		if plan.keys.variadic() {
			keys += 2 * (1 + rnd.IntN(2))
		}
	}
	for i := range keys {
		key := "key:{" + strconv.Itoa(i+1) + "}"
		s.keys = append(s.keys, key)
		for _, n := range plan.keys.at(i + 1) {
			s.texts[n] = key
		}
	}
	return s
}

// calls returns commands that prepare the keys, and n calls of the script. The keys fit the arguments of the first
// call.
func (s *scriptInput) calls(script string, f keySetup, n int) (setup, calls [][]string) {
	args := s.arguments()
	setup = s.fill(f)
	for range n {
		call := slices.Concat([]string{"EVAL", script, strconv.Itoa(len(s.keys))}, s.keys, args)
		calls = append(calls, call)
		if s.rnd.IntN(3) > 0 {
			args = s.arguments()
		}
	}
	return setup, calls
}

// arguments makes new arguments.
func (s *scriptInput) arguments() []string {
	maps.DeleteFunc(s.texts, func(_ *node, text string) bool { return !slices.Contains(s.keys, text) })
	count := s.plan.args.lastNamed()
	if s.plan.args.variadic() {
		count += s.count
	}
	args := make([]string, count)
	for i := range args {
		nodes := s.plan.args.at(i + 1)
		args[i] = s.generate(nodes)
		for _, n := range nodes {
			s.texts[n] = args[i]
		}
	}
	return args
}

// text returns one of the values. Names may be made of each other; depth limits that.
func (s *scriptInput) text(v values, depth int) string {
	if len(v) == 0 || depth > 8 {
		return ""
	}
	n := v[s.rnd.IntN(len(v))]
	switch n.kind {
	case literalNode:
		return n.text
	case givenNode:
		text, ok := s.texts[n]
		if !ok {
			text = s.generate(values{n})
			s.texts[n] = text
		}
		return text
	case storedNode:
		return s.generate(values{n})
	case joinedNode:
		return s.text(n.parts[0], depth+1) + s.text(n.parts[1], depth+1)
	}
	return "1"
}

func (s *scriptInput) word() string { return s.words[s.rnd.IntN(len(s.words))] }

// generate makes a string that fits all uses of the values.
func (s *scriptInput) generate(v values) string {
	n := v.union()
	switch {
	case n.use&asMessage != 0:
		return string(packMessage(nil, s.tree(n, true)))
	case n.use&asJSON != 0:
		return s.json(n)
	case len(n.formats) > 0:
		format := n.formats[s.rnd.IntN(len(n.formats))]
		return packStruct(format, func(i int) string { return s.generate(n.named[structPart(format, i)]) })
	}
	return s.leaf(n)
}

func (s *scriptInput) json(n *node) string {
	text, err := json.Marshal(s.tree(n, true))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// tree makes a value to pack: a table if the script reads its elements.
func (s *scriptInput) tree(n *node, outer bool) any {
	switch {
	case len(n.named) > 0 && !isIndex(n.named):
		return s.object(n)
	case len(n.named) > 0 || n.rest != nil:
		return s.array(n)
	case outer:
		return []any{s.word(), s.word()}
	}
	text := s.leaf(n)
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && (n.use&asNumber != 0 || s.rnd.IntN(2) == 0) {
		return i
	}
	return strings.ToValidUTF8(text, "?")
}

func isIndex(named map[string]values) bool {
	for name := range named {
		if _, err := strconv.Atoi(name); err != nil {
			return false
		}
	}
	return true
}

func (s *scriptInput) object(n *node) map[string]any {
	object := map[string]any{}
	for _, name := range sortedNames(n.named) {
		if s.rnd.IntN(6) > 0 {
			object[name] = s.branch(n.named[name])
		}
	}
	return object
}

// array makes a list of all elements that the script reads. Some are nil.
func (s *scriptInput) array(n *node) []any {
	var array []any
	for i := 1; i <= n.lastNamed(); i++ {
		if v := n.named[strconv.Itoa(i)]; v != nil && s.rnd.IntN(8) > 0 {
			array = append(array, s.branch(v))
		} else {
			array = append(array, nil)
		}
	}
	for range 2 * s.rnd.IntN(3) { // elements are often pairs
		if n.rest != nil {
			array = append(array, s.branch(n.rest))
		}
	}
	return array
}

func (s *scriptInput) branch(v values) any {
	branch := s.tree(v.union(), false)
	text, ok := branch.(string)
	if i, number := branch.(int64); number {
		text, ok = strconv.FormatInt(i, 10), true
	}
	for _, n := range v {
		if ok {
			s.texts[n] = text
		}
	}
	return branch
}

// leaf makes a string.
func (s *scriptInput) leaf(n *node) string {
	switch {
	case n.use&asCursor != 0:
		return "0"
	case n.use&asPage != 0:
		return "100"
	case n.command == "PUBLISH" && s.rnd.IntN(8) == 0:
		return "SPUBLISH"
	case n.command != "":
		return n.command
	case len(n.equals) > 0 && s.rnd.IntN(10) < 6:
		return n.equals[s.rnd.IntN(len(n.equals))]
	}
	if n.use != 0 && s.rnd.IntN(25) > 0 {
		return strconv.FormatInt(s.number(n.use), 10)
	}
	return s.word()
}

// number returns a number that fits the uses. It avoids short TTLs, which end on one server earlier than on the other.
func (s *scriptInput) number(u use) int64 {
	pick := func(numbers ...int64) int64 { return numbers[s.rnd.IntN(len(numbers))] }
	switch {
	case u&asLoop != 0:
		return pick(0, 1, 2, 3)
	case u&asCount != 0:
		return pick(0, 1, 2, 3, 10, -1)
	case u&asDuration != 0:
		return pick(30_000, 60_000, 300_000, 30_000, 60_000, 0, -1)
	case u&asScore != 0:
		return pick(s.now, s.now-60_000, s.now+60_000, 0, 1, 2, -1)
	}
	return pick(0, 1, 2, 3, 10, -1, 30_000, s.now, s.now-60_000, s.now+60_000)
}
