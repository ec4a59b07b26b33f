package glob

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "anything", true}, {"a*", "abc", true}, {"*c", "abc", true},
		{"a*c", "abdc", true}, {"a*c", "abd", false}, {"a?c", "abc", true}, {"a?c", "ac", false}, {"h[ae]llo", "hello", true},
		{"h[ae]llo", "hillo", false}, {"h[^e]llo", "hallo", true}, {"h[^e]llo", "hello", false}, {"h[a-b]llo", "hbllo", true},
		{"h[b-a]llo", "hallo", true}, {`h\*llo`, "h*llo", true}, {`h\*llo`, "hello", false}, {`[\]]`, "]", true},
		{"[a", "a", true}, {"[", "[", false}, {"**a", "xxa", true}, {"a[", "a", false}, {`a\`, `a\`, true},
	} {
		require.Equal(t, c.want, Match(c.pattern, c.s), "%q ~ %q", c.pattern, c.s)
	}
}

func TestMatch_NoMoreThanThousandStars(t *testing.T) {
	text := strings.Repeat("a", 1200)
	for stars, want := range map[int]bool{1000: true, 1001: false} {
		require.Equal(t, want, Match(strings.Repeat("*?", stars), text))
		require.Equal(t, want, Match(strings.Repeat("**a", stars)+"*", text))
	}
	require.True(t, Match(strings.Repeat("*", 5000), text))
	require.True(t, Match(strings.Repeat("*a", 1000)+"*", text))
}

func TestMatch_ManyStarsStayPolynomial(t *testing.T) {
	require.False(t, Match(strings.Repeat("a*", 50)+"b", strings.Repeat("a", 2000)))
}
