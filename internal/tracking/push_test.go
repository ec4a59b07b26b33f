package tracking

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// A message names each key once.
func TestMerge(t *testing.T) {
	tracker := new(Tracker)
	b := func(prefix string, keys ...string) Push {
		all := map[string]struct{}{}
		for _, key := range keys {
			all[key] = struct{}{}
		}
		return Push{broadcast: &broadcast{tracker: tracker, prefix: prefix, keys: all}}
	}
	pushes := Merge([]Push{b("k", "k2"), b("", "k2"), b("k", "k1", "k2"), b("", "a")})
	require.Len(t, pushes, 2, "one for each prefix")
	for i, want := range []string{"a k2", "k1 k2"} {
		var got []string
		for _, key := range pushes[i].RESP3.Elems()[1].Elems() {
			got = append(got, key.Text())
		}
		require.Equal(t, want, strings.Join(got, " "))
	}
}
