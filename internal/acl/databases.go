package acl

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
)

// Databases says which databases a call uses.
type Databases struct {
	Selected int   // the one that the client has selected, -1 if the call does not use it
	Args     []int // the positions of the arguments that name one
	All      int   // it uses databases 0 to All-1 as well
}

var errDatabaseRange = errors.New("The provided database ID is out of range")

// applyDatabases applies alldbs, resetdbs or db=0,1, in lower case. known is false for another rule.
func (s *Selector) applyDatabases(rule string) (known bool, err error) {
	list, some := strings.CutPrefix(rule, "db=")
	switch {
	case rule == "alldbs":
		s.someDatabases, s.databases = false, nil
	case rule == "resetdbs":
		s.someDatabases, s.databases = true, nil
	case some:
		databases, err := parseDatabases(list)
		if err != nil {
			return true, err
		}
		s.someDatabases, s.databases = true, databases
	default:
		return false, nil
	}
	return true, nil
}

// parseDatabases reads numbers separated by commas, and sorts them.
func parseDatabases(list string) (databases []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		switch {
		case errors.Is(err, strconv.ErrRange), err == nil && (n < 0 || n > math.MaxInt32):
			return nil, errDatabaseRange
		case err != nil:
			return nil, errRuleSyntax
		}
		databases = append(databases, n)
	}
	slices.Sort(databases)
	return slices.Compact(databases), nil
}

// Databases returns the rule about databases: alldbs, db=0,1, or "" for none.
func (s *Selector) Databases() string {
	if !s.someDatabases {
		return "alldbs"
	}
	words := make([]string, len(s.databases))
	for i, n := range s.databases {
		words[i] = strconv.Itoa(n)
	}
	if len(words) == 0 {
		return ""
	}
	return "db=" + strings.Join(words, ",")
}

// mayUse reports whether the selector allows all databases of a call, and else the position of the argument that names
// another one, 0 if it is the selected database.
func (s *Selector) mayUse(call *Call) (ok bool, pos int) {
	if !s.someDatabases {
		return true, 0
	}
	used := call.Databases()
	for _, i := range used.Args {
		if n, isNumber := num.ParseInt(call.Args[i]); isNumber && !slices.Contains(s.databases, int(n)) {
			return false, i
		}
	}
	for n := range used.All {
		if !slices.Contains(s.databases, n) {
			return false, 0
		}
	}
	return used.Selected < 0 || slices.Contains(s.databases, used.Selected), 0
}
