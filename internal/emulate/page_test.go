package emulate

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "write the list in docs/versions.md")

const (
	page      = "../../docs/versions.md"
	generated = "-rewrite -->\n"
)

// The end of docs/versions.md is the list of behaviors, and the table names all servers.
func TestVersionsPage(t *testing.T) {
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(data), generated)
	require.True(t, found)
	want := renderList()
	if *rewrite {
		require.NoError(t, os.WriteFile(page, []byte(head+generated+want), 0o644))
		return
	}
	require.Equal(t, want, rest, "stale: run this test with -rewrite")
	for _, s := range All() {
		require.Contains(t, head, "| `"+s.Name+"`")
		require.Contains(t, head, fmt.Sprintf("%s |\n", s.RedisVersion()))
	}
}

func renderList() string {
	var b strings.Builder
	b.WriteString("\n## How behavior differs\n\n| in | |\n|---|---|\n")
	for _, item := range list {
		fmt.Fprintf(&b, "| %s | %s |\n", inWords(item.since), strings.ReplaceAll(item.what, "|", `\|`))
	}
	return b.String()
}

// inWords writes the notation of Server.Has for people.
func inWords(since string) string {
	var parts []string
	for version := range strings.FieldsSeq(since) {
		product := "Redis"
		number, before := strings.CutPrefix(strings.TrimPrefix(version, "="), "<")
		if v, valkey := strings.CutPrefix(number, "valkey-"); valkey {
			product, number = "Valkey", v
		}
		switch {
		case version == "redis" || version == "valkey":
			parts = append(parts, strings.ToUpper(version[:1])+version[1:])
		case version[0] == '=':
			parts = append(parts, product+" "+number+" only")
		case before:
			parts = append(parts, product+" before "+number)
		case product == "Redis" && Named("valkey-8.1").Has(version):
			parts = append(parts, "Redis "+number+"+, Valkey")
		default:
			parts = append(parts, product+" "+number+"+")
		}
	}
	return strings.Join(parts, ", ")
}
