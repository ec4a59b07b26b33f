package compat

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The comparison of scripts is worth no more than the part of them that runs. Here each call of a command leaves a trace, in
// redis-server only; the calls that nothing can reach are mostly those behind a command which Redis lacks.
func TestAllScripts_ReachTheirCalls(t *testing.T) {
	const atLeast = 85 // of a hundred calls written in the scripts, in one round
	c := dial(t, startReference(t))
	calls, reached := 0, 0
	for i, s := range completeScripts(t, "4.7.0") {
		plan, err := planOf(s.text)
		require.NoError(t, err)
		script, n := traced(s.text)
		calls, reached = calls+n, reached+traces(t, c, uint64(i), plan, script)
	}
	t.Logf("calls reached: %d of %d", reached, calls)
	require.Greater(t, 100*reached, atLeast*calls)
}

const traceKey = "{trace}"

var redisCalls = regexp.MustCompile(`\bredis\.(p?call)\(`)

// traced numbers the calls in a script and makes each put its number into a set.
func traced(script string) (text string, calls int) {
	text = redisCalls.ReplaceAllStringFunc(script, func(call string) string {
		calls++
		return fmt.Sprintf("traced(%d, redis.%s, ", calls, redisCalls.FindStringSubmatch(call)[1])
	})
	const trace = "local function traced(n, call, ...) redis.call('sadd', '" + traceKey + "', n) return call(...) end "
	return trace + text, calls
}

// traces is how many calls of a traced script are reached in one round.
func traces(t *testing.T, c *rawClient, number uint64, plan *scriptPlan, script string) int {
	rnd := rand.New(rand.NewPCG(*randomSeed, number))
	seen := map[string]bool{}
	for _, v := range variants {
		setup, calls := newScriptInput(rnd, plan, derived).play(script, v.keySetup, v.calls)
		all := slices.Concat([][]string{{"FLUSHALL"}}, setup, calls, [][]string{{"SMEMBERS", traceKey}})
		replies, err := c.pipeline(all)
		require.NoError(t, err)
		for _, trace := range replies[len(replies)-1].elems {
			seen[trace.text] = true
		}
	}
	return len(seen)
}
