package emulate

import (
	"flag"
	"fmt"
	"os"
	"slices"
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

// renderList writes a column for each server, so that any two can be compared, and the rows by the alphabet.
func renderList() string {
	var b strings.Builder
	b.WriteString("\n## How behavior differs\n\nA dot says that the server does it; the others do not.\n\n|")
	for _, s := range All() {
		b.WriteString(" " + strings.Replace(s.Name, "valkey-", "V&nbsp;", 1) + " |")
	}
	b.WriteString(" |\n" + strings.Repeat("|:-:", len(All())) + "|---|\n")
	rows := slices.Clone(list)
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(strings.ToLower(a.what), strings.ToLower(b.what)) })
	for _, item := range rows {
		for _, s := range All() {
			b.WriteString("| " + map[bool]string{true: "●", false: " "}[s.Does(item.behavior)] + " ")
		}
		fmt.Fprintf(&b, "| %s |\n", strings.ReplaceAll(item.what, "|", `\|`))
	}
	return b.String()
}
