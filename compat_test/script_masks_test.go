package compat

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// referenceLacks are commands in scripts that the reference does not have, so that their effects cannot be compared.
var referenceLacks = map[string]string{
	"HPEXPIRE": "is newer than redis-server " + installed,
}

// skip reports whether a script is not run. It fails for reasons that do not apply any more, and for missing ones.
func (r *scriptRun) skip(plan *scriptPlan) bool {
	skip := false
	for _, command := range slices.Sorted(maps.Keys(plan.commands)) {
		ref, target := r.servers.ref.knows(r.servers.t, command), r.servers.target.knows(r.servers.t, command)
		reason, lacking := referenceLacks[command]
		switch {
		case lacking && ref:
			r.servers.t.Errorf("%s is known to redis (%q): remove it", command, reason)
		case !lacking && ref != target:
			r.servers.t.Errorf("%s is known to one server only: redis %t, target %t", command, ref, target)
		}
		skip = skip || lacking
	}
	return skip
}

func (s scriptServer) knows(t *testing.T, command string) bool {
	rows := s.caller.do(t, "COMMAND", "INFO", command).elems
	return len(rows) == 1 && !rows[0].null
}

// masks change the results of scripts that call commands whose results differ in every run.
var masks = map[string]struct {
	reason string
	mask   func(string) string
}{
	"TIME":        {"results depend on the clock, and as scores the order of members", hideTimes},
	"XADD":        {"the IDs of entries are times", hideEntries},
	"ZRANDMEMBER": {"the members are random", hideStrings},
}

var (
	timeDigits   = regexp.MustCompile(`\d{9,}`)
	quotedString = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	entryID      = regexp.MustCompile(`(\d{13}|time)-\d+`)
)

func hideTimes(s string) string {
	s = timeDigits.ReplaceAllString(s, "time")
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("[], ", r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}

func hideStrings(s string) string { return quotedString.ReplaceAllString(s, "text") }

func hideEntries(s string) string { return entryID.ReplaceAllString(s, "entry") }

// maskOf returns the mask for the results of a script.
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

// singleMemberScripts are scripts, and commands in them, whose results depend on the order of members or on chance.
// Their keys of some types get one member.
var singleMemberScripts = map[string]struct{ types, reason string }{
	"removeJob":                 {"set", "children are removed in the order of the set"},
	"removeUnprocessedChildren": {"set", "children are removed in the order of the set"},
	"moveStalledJobsToWait":     {"set", "jobs are moved in the order of the set"},
	"paginate":                  {"set", "a page is a part of the set"},
	"HRANDFIELD":                {"hash", "the fields are random"},
	"ZRANDMEMBER":               {"zset", "the members are random"},
}

// singleMemberTypes returns the types of which keys of a script get one member.
func singleMemberTypes(name string, plan *scriptPlan) (types string) {
	for key, row := range singleMemberScripts {
		if key == name || plan.commands[key] {
			types += row.types
		}
	}
	return types
}

// unequal are scripts that are known to have other results, and why. A script with the same results fails the test.
var unequal = map[string]string{}

// anyOrder reports whether a script calls a command whose reply has no defined order.
func anyOrder(plan *scriptPlan) bool {
	for command := range plan.commands {
		if orderingOf([]string{command}) != ordered {
			return true
		}
	}
	return false
}

// sorted returns the reply with its elements sorted, at all levels.
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
