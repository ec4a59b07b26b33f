package compat

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// referenceLacks are the commands in scripts that the reference does not have: what they do cannot be compared.
var referenceLacks = map[string]string{
	"HPEXPIRE": "is newer than redis-server " + referenceVersion + "x",
}

// excused tells whether a script is not run. It fails for excuses that are not needed any more, and for those that are
// wanting.
func (r *scriptRun) excused(plan *scriptPlan) bool {
	found := false
	for _, command := range slices.Sorted(maps.Keys(plan.commands)) {
		ref, target := r.pair.ref.knows(r.pair.t, command), r.pair.target.knows(r.pair.t, command)
		reason, excused := referenceLacks[command]
		switch {
		case excused && ref:
			r.pair.t.Errorf("%s needs no excuse any more (%q): take it off the list", command, reason)
		case !excused && ref != target:
			r.pair.t.Errorf("%s is known to one server only: redis %t, ours %t", command, ref, target)
		}
		found = found || excused
	}
	return found
}

func (s scriptServer) knows(t *testing.T, command string) bool {
	rows := s.caller.do(t, "COMMAND", "INFO", command).elems
	return len(rows) == 1 && !rows[0].null
}

// masks say how the outcome of scripts is compared that call a command whose outcome is no two times the same.
var masks = map[string]struct {
	reason string
	mask   func(string) string
}{
	"TIME":        {"the server's clock goes into the outcome, and as scores into the order of members", hideMoments},
	"XADD":        {"the entries' names are times and count what came in the same millisecond", hideEntries},
	"ZRANDMEMBER": {"a member of several sets' union is a random choice", hideTexts},
}

var (
	momentDigits = regexp.MustCompile(`\d{9,}`)
	quotedText   = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	entryName    = regexp.MustCompile(`(\d{13}|moment)-\d+`)
)

func hideMoments(s string) string {
	s = momentDigits.ReplaceAllString(s, "moment")
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("[], ", r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}

func hideTexts(s string) string { return quotedText.ReplaceAllString(s, "text") }

func hideEntries(s string) string { return entryName.ReplaceAllString(s, "entry") }

// maskOf is how a script's outcome is masked.
func maskOf(plan *scriptPlan) func(string) string {
	return func(s string) string {
		for _, command := range slices.Sorted(maps.Keys(plan.commands)) {
			if m, ok := masks[command]; ok {
				s = m.mask(s)
			}
		}
		return s
	}
}

// singleMember are scripts, and commands in them, whose outcome depends on the order of members, which is the server's own, or on
// chance. Their keys of some types get one member each.
var singleMember = map[string]struct{ types, reason string }{
	"removeJob":                 {"set", "children are removed in the set's order"},
	"removeUnprocessedChildren": {"set", "children are removed in the set's order"},
	"moveStalledJobsToWait":     {"set", "jobs are moved in the set's order"},
	"paginate":                  {"set", "a page is a part of the set"},
	"HRANDFIELD":                {"hash", "which fields come is a random choice"},
	"ZRANDMEMBER":               {"zset", "which members come is a random choice"},
}

// singleMemberTypes are the types of which a script's keys get one member each.
func singleMemberTypes(name string, plan *scriptPlan) (types string) {
	for key, row := range singleMember {
		if key == name || plan.commands[key] {
			types += row.types
		}
	}
	return types
}

// unequal are scripts that are known to do something else here, and why. A script that does the same must be taken off.
var unequal = map[string]string{}

// anyOrder tells whether a script calls a command whose reply has no order that Redis promises.
func anyOrder(plan *scriptPlan) bool {
	for command := range plan.commands {
		if orderingOf([]string{command}) != ordered {
			return true
		}
	}
	return false
}

// sorted puts the elements of a reply, and theirs, in order.
func (v reply) sorted() reply {
	if len(v.elems) == 0 {
		return v
	}
	v.elems = slices.Clone(v.elems)
	for i, e := range v.elems {
		v.elems[i] = e.sorted()
	}
	slices.SortFunc(v.elems, func(a, b reply) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	return v
}
