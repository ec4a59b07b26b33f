package packaging_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// examples are the blocks of the README that come from complete examples: of Java with a test, TypeScript, Python.
var examples = regexp.MustCompile("(?s)```(java|ts|python)\n(.*?)```")

var leftOut = regexp.MustCompile(`(?m)^ *// …\n`)

// The examples in the README are parts of those in the pages of the languages, which the tests run. A comment of three
// dots stands for what is left out.
func TestReadme_ExamplesAreOfPages(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	seen := 0
	for _, example := range examples.FindAllStringSubmatch(string(readme), -1) {
		language, code := example[1], example[2]
		if language == "java" && !strings.Contains(code, "@Test") {
			continue // compat_test compiles it
		}
		name := map[string]string{"java": "java", "ts": "node", "python": "python"}[language]
		page, err := os.ReadFile("../docs/" + name + ".md")
		require.NoError(t, err)
		for _, part := range leftOut.Split(code, -1) {
			require.Contains(t, string(page), part)
		}
		seen++
	}
	require.Equal(t, 3, seen)
}
