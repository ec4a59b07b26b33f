package control

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/faults"
	"github.com/minilockd/minilockd/internal/words"
)

// Faults are the rules of a server, which knows the names of commands.
type Faults struct {
	*faults.Rules
	table *command.Table
}

// Add adds a rule behind all others and returns its id, or an error if it could never hit a call: see fault.Rule.Check;
// also if there is no such command or ACL category. A misspelt name would make a test pass that tests nothing.
func (f *Faults) Add(rule fault.Rule) (id int64, err error) {
	rule.Command = strings.ToLower(rule.Command)
	if err := rule.Check(); err != nil {
		return 0, err
	}
	category, isCategory := strings.CutPrefix(rule.Command, "@")
	switch {
	case rule.Command == "@all":
		rule.Command = ""
	case isCategory && !slices.Contains(command.Categories, category):
		return 0, words.Errorf("ERR Unknown category '%s'", category)
	case rule.Command != "" && !isCategory && f.table.Get(rule.Command) == nil:
		return 0, words.Errorf("ERR unknown command '%s'", rule.Command)
	}
	return f.Rules.Add(rule), nil
}
