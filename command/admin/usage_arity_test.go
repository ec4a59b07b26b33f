package admin_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/usage"
)

// minWords returns the smallest number of words that the arguments stand for.
func minWords(args []usage.Argument) int {
	sum := 0
	for _, a := range args {
		words := minWords(a.Args)
		switch {
		case a.Optional:
			continue
		case a.Kind == "oneof":
			words = minWords(a.Args[:1])
			for i := range a.Args {
				words = min(words, minWords(a.Args[i:i+1]))
			}
			words = max(words, 1)
		case a.Kind != "block":
			words = 1
		}
		if a.Token != "" && a.Kind != usage.PureToken {
			words++
		}
		sum += words
	}
	return sum
}

// The arity of a row and the usage from which its documentation is made must say the same.
func TestCommand_UsageFitsArity(t *testing.T) {
	for _, server := range emulate.All() {
		catalog.Table(server).Each(func(cmd *command.Command) { requireUsageFitsArity(t, cmd) })
	}
}

func requireUsageFitsArity(t *testing.T, cmd *command.Command) {
	name := strings.Count(cmd.FullName(), "|") + 1
	if cmd.Sub != nil || cmd.FullName() == "cluster|migrateslots" { // Valkey says -4, which is too low
		return
	}
	args := usage.Parse(cmd.Usage)
	words := name + minWords(args)
	if strings.HasPrefix(cmd.Name, "geosearch") && !cmd.Lacks("bypolygon") {
		words += 2 // a polygon needs no center, but the arity of Valkey counts one
	}
	if cmd.Arity > 0 {
		require.Equal(t, cmd.Arity, words, cmd.FullName())
		return
	}
	require.Equal(t, -cmd.Arity, words, cmd.FullName())
}
