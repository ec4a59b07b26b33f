package compat

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The comparison of scripts tests only the parts that are executed. Here each call of a command is recorded, in
// redis-server only. Most of the calls that are never executed follow a command that Redis lacks.
func TestClientScripts_ExecuteMostCalls(t *testing.T) {
	const percent = 85 // of the calls in the scripts, in one round
	c := dial(t, startReference(t))
	calls, executed := 0, 0
	for i, s := range completeScripts(t, "4.7.0") {
		plan, err := planOf(s.text)
		require.NoError(t, err)
		script, n := traced(s.text)
		calls, executed = calls+n, executed+traces(t, c, uint64(i), plan, script)
	}
	t.Logf("executed calls: %d of %d", executed, calls)
	require.Greater(t, 100*executed, percent*calls)
}

const traceKey = "{trace}"

var redisCalls = regexp.MustCompile(`\bredis\.(p?call)\(`)

// traced numbers the calls in a script and adds a SADD of the number to each.
func traced(script string) (text string, calls int) {
	text = redisCalls.ReplaceAllStringFunc(script, func(call string) string {
		calls++
		return fmt.Sprintf("traced(%d, redis.%s, ", calls, redisCalls.FindStringSubmatch(call)[1])
	})
	const trace = "local function traced(n, call, ...) redis.call('sadd', '" + traceKey + "', n) return call(...) end "
	return trace + text, calls
}

// traces returns how many calls of a traced script are executed in one round.
func traces(t *testing.T, c *rawClient, number uint64, plan *scriptPlan, script string) int {
	rnd := rand.New(rand.NewPCG(*randomSeed, number))
	seen := map[string]bool{}
	for _, v := range variants {
		setup, calls := newScriptInput(rnd, plan, derivedKeys).calls(script, v.keySetup, v.calls)
		all := slices.Concat([][]string{{"FLUSHALL"}}, setup, calls, [][]string{{"SMEMBERS", traceKey}})
		replies, err := c.pipeline(all)
		require.NoError(t, err)
		for _, trace := range replies[len(replies)-1].elems {
			seen[trace.text] = true
		}
	}
	return len(seen)
}
