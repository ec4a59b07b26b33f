package compat

import (
	"slices"
	"strconv"
)

// To call a script, its arguments must be known. scriptReader (script_analysis_test.go) reads the syntax tree and
// follows each value from its source (KEYS, ARGV, the content of a key) to its uses, which it records in the value's
// node. It ignores the order of statements: a variable has all values that are ever assigned to it. This finds
// arguments with which scripts execute most of their code, and both servers get the same ones.

// nodeKind is the source of a value.
type nodeKind int

const (
	rootNode    nodeKind = iota // KEYS or ARGV as a whole
	givenNode                   // KEYS[i], ARGV[i], or a part of a packed argument
	literalNode                 // a literal in the script
	storedNode                  // read from a key
	joinedNode                  // a concatenation of values
	tableNode                   // a table of the script, or a reply with several elements
	commandNode                 // redis.call or redis.pcall as a value
)

// values are the possible values of an expression.
type values []*node

// node is a source of values and how a script uses them.
type node struct {
	kind  nodeKind
	text  string            // of a literal
	parts []values          // of a joined value
	named map[string]values // elements by index or name
	rest  values            // elements with unknown indexes
	loops []loopElements    // elements that a loop reads

	use     use
	equals  []string         // literals that it is compared with
	formats []string         // struct formats that it is unpacked by
	command string           // if it names a command: a fitting one
	types   []string         // if it names a key: the types that commands expect
	stored  map[string]*node // if it names a key: its content, by part
	fields  []*node          // if it names a key: the fields and members that commands use
}

// use is a set of ways in which a value is used.
type use uint

const (
	asNumber   use = 1 << iota // in arithmetic, comparisons, tonumber
	asCount                    // an index or number of elements
	asLoop                     // limits a loop: must be small
	asDuration                 // milliseconds
	asScore                    // of a sorted set, mostly a time
	asTie                      // a score that must be the same for all members (BYLEX)
	asCursor                   // of SCAN and the like: only 0 is portable
	asPage                     // COUNT of SCAN and the like: large, so that one call returns all
	asMessage                  // packed by cmsgpack
	asJSON
)

// loopElements are the elements start, start+step, … of KEYS or ARGV.
type loopElements struct {
	start, step int
	node        *node
}

func (n *node) open() bool { return n.kind == rootNode || n.kind == givenNode || n.kind == storedNode }

// element returns the element with a known index or name.
func (n *node) element(name string) values {
	if n.named == nil {
		n.named = map[string]values{}
	}
	if n.named[name] == nil && n.open() {
		n.named[name] = values{{kind: n.child()}}
	}
	return n.named[name]
}

// anyElement returns the elements with unknown indexes.
func (n *node) anyElement() values {
	if n.rest == nil && n.open() {
		n.rest = values{{kind: n.child()}}
	}
	return n.rest
}

// every returns all elements, as a loop over them does.
func (n *node) every() values {
	all := slices.Clone(n.anyElement())
	if n.kind == tableNode {
		for _, v := range n.named {
			all = all.with(v...)
		}
	}
	return all
}

// loopElement returns the element that a loop over start, start+step, … reads.
func (n *node) loopElement(start, step int) values {
	for _, l := range n.loops {
		if l.start == start && l.step == step {
			return values{l.node}
		}
	}
	n.loops = append(n.loops, loopElements{start, step, &node{kind: n.child()}})
	return values{n.loops[len(n.loops)-1].node}
}

func (n *node) child() nodeKind {
	if n.kind == rootNode {
		return givenNode
	}
	return n.kind
}

// at returns the nodes of KEYS[i] or ARGV[i].
func (n *node) at(i int) values {
	found := slices.Clone(n.named[strconv.Itoa(i)])
	for _, l := range n.loops {
		if i >= l.start && (i-l.start)%l.step == 0 {
			found = append(found, l.node)
		}
	}
	return append(found, n.rest...)
}

// lastNamed returns the highest literal index.
func (n *node) lastNamed() int {
	last := 0
	for name := range n.named {
		i, _ := strconv.Atoi(name)
		last = max(last, i)
	}
	return last
}

// variadic reports whether the script takes any number of elements.
func (n *node) variadic() bool { return n.rest != nil || n.loops != nil }

// part returns a part of the content of the key: the value of a field, an element, a score.
func (n *node) part(name string) *node {
	if n.stored == nil {
		n.stored = map[string]*node{}
	}
	if n.stored[name] == nil {
		n.stored[name] = &node{kind: storedNode}
	}
	return n.stored[name]
}

// Names of parts that are not fields.
const (
	wholePart   = "(whole)"
	elementPart = "(element)"
	scorePart   = "(score)"
)

func (v values) with(others ...*node) values {
	for _, n := range others {
		if !slices.Contains(v, n) {
			v = append(v, n)
		}
	}
	return v
}

func (v values) mark(u use) values {
	for _, n := range v {
		n.use |= u
	}
	return v
}

// compared records the literals among others, which are worth trying.
func (v values) compared(others values) {
	for _, n := range v {
		for _, other := range others {
			if other.kind == literalNode && !slices.Contains(n.equals, other.text) {
				n.equals = append(n.equals, other.text)
			}
		}
	}
}

// text returns the literal, if the value is one.
func (v values) text() (string, bool) {
	if len(v) != 1 || v[0].kind != literalNode {
		return "", false
	}
	return v[0].text, true
}

// elements returns the elements of all nodes.
func (v values) elements(index func(*node) values) values {
	var found values
	for _, n := range v {
		found = found.with(index(n)...)
	}
	return found
}

// union returns one node with the uses of all nodes.
func (v values) union() *node {
	if len(v) == 1 {
		return v[0]
	}
	sum := &node{kind: givenNode, named: map[string]values{}}
	for _, n := range v {
		sum.use |= n.use
		sum.equals = append(sum.equals, n.equals...)
		sum.formats = append(sum.formats, n.formats...)
		sum.rest = sum.rest.with(n.rest...)
		for name, element := range n.named {
			sum.named[name] = sum.named[name].with(element...)
		}
		if n.command != "" {
			sum.command = n.command
		}
	}
	return sum
}
