package luafront

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "write what redis-server answers into testdata; inspect the difference")

// scenario is one script and the reply to EVAL. In testdata a case is the lines of the script, "----", the reply, and
// an empty line. Scripts that call show get it from the test.
type scenario struct {
	script, reply string
}

func (s scenario) run(eval func(string) string) string {
	script := s.script
	if strings.Contains(script, "show(") {
		script = show + script
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(eval(script))
}

func readScenarios(t *testing.T, path string) []scenario {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var scenarios []scenario
	for _, part := range strings.Split(strings.TrimRight(string(text), "\n"), "\n\n") {
		script, reply, ok := strings.Cut(part, "\n----\n")
		require.True(t, ok, "%s: no ---- in %q", path, part)
		scenarios = append(scenarios, scenario{script, reply})
	}
	return scenarios
}

func writeScenarios(t *testing.T, path string, scenarios []scenario) {
	t.Helper()
	var parts []string
	for _, s := range scenarios {
		parts = append(parts, s.script+"\n----\n"+s.reply+"\n")
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(parts, "\n")), 0o644))
}

func scenarioFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// Every reply in testdata is that of redis-server 7.0.15.
func TestScenarios_OurReplies(t *testing.T) {
	for _, path := range scenarioFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			for _, s := range readScenarios(t, path) {
				require.Equal(t, s.reply, s.run(func(script string) string { return eval(t, script) }), "script: %s", s.script)
			}
		})
	}
}

// Ensure that the replies in testdata are right.
func TestScenarios_RealRedis(t *testing.T) {
	redis := startReference(t)
	for _, path := range scenarioFiles(t) {
		scenarios := readScenarios(t, path)
		for i, s := range scenarios {
			reply := s.run(redis.eval)
			if *rewrite {
				scenarios[i].reply = reply
				continue
			}
			require.Equal(t, s.reply, reply, "%s: script: %s", path, s.script)
		}
		if *rewrite {
			writeScenarios(t, path, scenarios)
		}
	}
}
