package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fewest is how many words an argument takes at least.
func fewest(args []argument) int {
	sum := 0
	for _, a := range args {
		words := fewest(a.args)
		switch {
		case a.optional:
			continue
		case a.kind == "oneof":
			words = fewest(a.args[:1])
			for i := range a.args {
				words = min(words, fewest(a.args[i:i+1]))
			}
			words = max(words, 1)
		case a.kind != "block":
			words = 1
		}
		if a.token != "" && a.kind != pureToken {
			words++
		}
		sum += words
	}
	return sum
}

// The arity of a row and the usage from which its documentation is made must say the same.
func TestCommand_UsageFitsArity(t *testing.T) {
	Commands().eachWithSubcommands(func(cmd *Command) {
		name := strings.Count(cmd.FullName(), "|") + 1
		if cmd.Sub != nil {
			return
		}
		args := parseUsage(cmd.Usage)
		words := name + fewest(args)
		if cmd.Arity > 0 {
			require.Equal(t, cmd.Arity, words, cmd.FullName())
			return
		}
		require.Equal(t, -cmd.Arity, words, cmd.FullName())
	})
}
