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

// excuse tells why scripts that call a command are not run. What neither server has is no reason: the error is compared.
func excuse(command string) (reason string, excused bool) {
	if reason, excused = referenceLacks[command]; excused {
		return reason, true
	}
	reason = commandExceptions[command]
	return reason, reason == notYet && !testsTests()
}

// excused tells whether a script is not run. It fails for excuses that are not needed any more, and for those that are wanting.
func (r *scriptRun) excused(plan *scriptPlan) bool {
	found := false
	for _, command := range slices.Sorted(maps.Keys(plan.commands)) {
		ref, ours := r.pair.ref.knows(r.pair.t, command), r.pair.ours.knows(r.pair.t, command)
		reason, excused := excuse(command)
		switch _, lacking := referenceLacks[command]; {
		case excused && (lacking && ref || !lacking && ours):
			r.pair.t.Errorf("%s needs no excuse any more (%q): take it off the list", command, reason)
		case !excused && ref != ours:
			r.pair.t.Errorf("%s is known to one server only: redis %t, ours %t", command, ref, ours)
		}
		found = found || excused
	}
	return found
}

func (s lockSide) knows(t *testing.T, command string) bool {
	rows := s.caller.do(t, "COMMAND", "INFO", command).elems
	return len(rows) == 1 && !rows[0].null
}

// masks say how the outcome of scripts is compared that call a command whose outcome is no two times the same.
var masks = map[string]struct {
	reason string
	mask   func(string) string
}{
	"TIME":        {"microseconds of the server's clock go into the outcome", hideMoments},
	"XADD":        {"the entries' names are times and count what came in the same millisecond", hideEntries},
	"HRANDFIELD":  {"which fields come is a random choice, and which of them the script drops", hideAll},
	"ZRANDMEMBER": {"which members come is a random choice, and which of them the script drops", hideAll},
}

var (
	momentDigits = regexp.MustCompile(`\d{9,}`)
	entryName    = regexp.MustCompile(`\d{13}-\d+`)
)

func hideMoments(s string) string { return momentDigits.ReplaceAllString(s, "moment") }

func hideEntries(s string) string { return entryName.ReplaceAllString(s, "entry") }

func hideAll(s string) string {
	if strings.HasPrefix(s, "-") {
		return s
	}
	return "no error"
}

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

// orderedBySet are scripts whose outcome depends on the order of a set's members, which is the server's own. They get sets of
// one member.
var orderedBySet = map[string]string{
	"removeUnprocessedChildren": "a job that depends on itself is met sooner or later",
	"paginate":                  "a page is a part of the set",
}

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
