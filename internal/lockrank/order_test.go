package lockrank

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "write the list into docs/design.md")

const (
	page  = "../../docs/design.md"
	begin = "<!-- the order of locks; go test ./internal/lockrank -rewrite writes it -->\n"
	end   = "<!-- end of the order -->\n"
)

// The page has the order of the package.
func TestOrder_IsThatOfThePage(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok, "%s has no line %q", page, begin)
	old, after, ok := strings.Cut(rest, end)
	require.True(t, ok, "%s has no line %q", page, end)
	if *rewrite {
		require.NoError(t, os.WriteFile(page, []byte(before+begin+list()+end+after), 0o644))
		return
	}
	require.Equal(t, list(), old, "run go test ./internal/lockrank -rewrite")
}

func list() string {
	var b strings.Builder
	for i, e := range Order {
		fmt.Fprintf(&b, "%d. **%s** (`%s`) %s.\n", i+1, reflect.TypeOf(e.Rank).Name(), e.Package, e.Reason)
	}
	return b.String()
}

// No rank is there twice, and each says why it is where it is.
func TestOrder_Entries(t *testing.T) {
	seen := make(map[Rank]bool)
	for _, e := range Order {
		require.False(t, seen[e.Rank], "%T", e.Rank)
		require.NotEmpty(t, e.Reason, "%T", e.Rank)
		seen[e.Rank] = true
	}
}
