package luaeval

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// Servers since 7.4 keep the last 500 scripts of EVAL, and all of SCRIPT LOAD. Only Valkey makes a script stay that
// SCRIPT LOAD has loaded after EVAL.
func TestEngine_Evaluate_Evicts(t *testing.T) {
	for server, want := range map[string]struct{ gone, evicted int }{"7.2": {0, 0}, "8.0": {3, 3}, "valkey-8.1": {2, 2}} {
		e, c := New(emulate.Named(server), slog.New(slog.DiscardHandler)), &recorder{}
		source := func(i int) []byte { return fmt.Appendf(nil, "return %d", i) }
		loaded, err := e.Load([]byte("return 'loaded'"))
		require.NoError(t, err)
		evaluate := func(i int) {
			s, err := e.Evaluate(source(i))
			require.NoError(t, err)
			e.Run(s, nil, nil, c)
		}
		for i := range maxEvaluated {
			evaluate(i)
		}
		evaluate(0)
		_, err = e.Load(source(1))
		require.NoError(t, err)
		saved := e.Save()
		e.Flush()
		require.NoError(t, e.RestoreAll(saved))
		for i := range 3 {
			evaluate(maxEvaluated + i)
		}
		gone := 0
		for i := range maxEvaluated {
			if e.Get([]byte(SHA1(source(i)))) == nil {
				gone++
				require.True(t, i > 0, "%s: the first script was used again", server)
			}
		}
		require.Equal(t, want.gone, gone, server)
		require.Equal(t, int64(want.evicted), e.Evicted(), server)
		require.True(t, e.Get([]byte(loaded.SHA)) != nil, server)
		e.ResetEvicted()
		require.Zero(t, e.Evicted())
	}
}

func TestScript_Source(t *testing.T) {
	for _, source := range []string{"return 1", "#!lua flags=no-writes\nreturn 1"} {
		e := newEngine()
		s, err := e.Load([]byte(source))
		require.NoError(t, err)
		require.Equal(t, source, s.Source())
		saved := e.Save()
		e.Flush()
		require.NoError(t, e.RestoreAll(saved))
		require.Equal(t, source, e.Get([]byte(s.SHA)).Source())
	}
}

func TestLayered(t *testing.T) {
	var all layered[int]
	for i := range 3 * maxTop {
		all = all.with(fmt.Sprint(i), i+1)
	}
	half := all.without(func(v int) bool { return v%2 == 0 })
	more := half.with("0", 7)
	for i := range 3 * maxTop {
		key := fmt.Sprint(i)
		require.Equal(t, i+1, all.get(key))
		require.Equal(t, (i+1)*((i+1)%2), half.get(key))
	}
	require.Equal(t, 7, more.get("0"))
	require.Equal(t, 1, half.get("0"))
}
