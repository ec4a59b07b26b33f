package compat

import (
	"slices"
	"strconv"
)

// To call a script one must know what it expects. scriptReader (scriptreader_test.go) runs over its syntax tree and follows
// each value from where it comes (KEYS, ARGV, what is stored under a key) to where it goes; what a value is used for is noted
// at its node. It does not look at the order of statements: a variable means all that is ever assigned to it. That is enough
// to find arguments that lead deep into a script, and both servers get the same ones anyway.

// nodeKind says where a value comes from.
type nodeKind int

const (
	rootNode    nodeKind = iota // KEYS or ARGV as a whole
	givenNode                   // KEYS[i], ARGV[i], or a part of a packed argument
	literalNode                 // written in the script
	storedNode                  // read from a key
	joinedNode                  // other values joined by ..
	tableNode                   // a table that the script makes, or a reply of several elements
	commandNode                 // redis.call or redis.pcall as a value
)

// values are the nodes that an expression may stand for.
type values []*node

// node is one origin of values and what a script does with them.
type node struct {
	kind  nodeKind
	text  string            // of a literal
	parts []values          // of a joined value
	named map[string]values // elements by index or name
	rest  values            // elements of which the script does not say which
	loops []loopElements    // elements that a loop visits

	use     use
	equals  []string         // literals that it is compared with
	formats []string         // struct formats that it is unpacked by
	command string           // if it names a command: one that fits the call
	types   []string         // if it names a key: the types that commands want
	stored  map[string]*node // what is read from the key, by part
	fields  []*node          // if it names a hash or sorted set: the fields and members that commands name
}

// use is a set of purposes.
type use uint

const (
	asNumber   use = 1 << iota // in arithmetic, comparisons, tonumber
	asCount                    // an index or number of elements
	asLoop                     // bounds a loop: must be small
	asDuration                 // milliseconds
	asScore                    // of a sorted set, most often a time
	asTie                      // a score that must be the same for all: the set is read by the order of its members
	asCursor                   // of SCAN's family: only 0 means the same to all servers
	asPage                     // how much SCAN's family gives at once: all, since parts are the server's own affair
	asMessage                  // packed by cmsgpack
	asJSON
)

// loopElements are the elements start, start+step, … of KEYS or ARGV.
type loopElements struct {
	start, step int
	node        *node
}

func (n *node) open() bool { return n.kind == rootNode || n.kind == givenNode || n.kind == storedNode }

// element is what indexing by a known index or name gives.
func (n *node) element(name string) values {
	if n.named == nil {
		n.named = map[string]values{}
	}
	if n.named[name] == nil && n.open() {
		n.named[name] = values{{kind: n.child()}}
	}
	return n.named[name]
}

// anyElement is what indexing by an unknown index gives.
func (n *node) anyElement() values {
	if n.rest == nil && n.open() {
		n.rest = values{{kind: n.child()}}
	}
	return n.rest
}

// every is all that iterating over the elements gives.
func (n *node) every() values {
	all := slices.Clone(n.anyElement())
	if n.kind == tableNode {
		for _, v := range n.named {
			all = all.with(v...)
		}
	}
	return all
}

// loopElement is the element that a loop over start, start+step, … visits.
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

// at lists the nodes that stand for the i-th of KEYS or ARGV.
func (n *node) at(i int) values {
	found := slices.Clone(n.named[strconv.Itoa(i)])
	for _, l := range n.loops {
		if i >= l.start && (i-l.start)%l.step == 0 {
			found = append(found, l.node)
		}
	}
	return append(found, n.rest...)
}

// lastNamed is the highest index that the script writes out.
func (n *node) lastNamed() int {
	last := 0
	for name := range n.named {
		i, _ := strconv.Atoi(name)
		last = max(last, i)
	}
	return last
}

// endless tells whether the script takes any number of elements.
func (n *node) endless() bool { return n.rest != nil || n.loops != nil }

// part is what is stored under the key that this node names: one field's value, an element, a score.
func (n *node) part(name string) *node {
	if n.stored == nil {
		n.stored = map[string]*node{}
	}
	if n.stored[name] == nil {
		n.stored[name] = &node{kind: storedNode}
	}
	return n.stored[name]
}

// Names of parts that are no field.
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

// compared notes the literals among others as worth trying.
func (v values) compared(others values) {
	for _, n := range v {
		for _, other := range others {
			if other.kind == literalNode && !slices.Contains(n.equals, other.text) {
				n.equals = append(n.equals, other.text)
			}
		}
	}
}

// text is the literal, if these are one.
func (v values) text() (string, bool) {
	if len(v) != 1 || v[0].kind != literalNode {
		return "", false
	}
	return v[0].text, true
}

// elements indexes each of the nodes.
func (v values) elements(index func(*node) values) values {
	var found values
	for _, n := range v {
		found = found.with(index(n)...)
	}
	return found
}

// union is one node with the uses of several.
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
