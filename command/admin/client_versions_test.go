package admin_test

import (
	"regexp"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// Of a client that has been in a transaction Valkey shows that it may be again; RESET takes NO-EVICT back since 7.2.
func TestClient_Info_AfterTransactionsAndReset(t *testing.T) {
	for server, want := range map[string]struct{ after, reset string }{
		"7.0":        {"flags=N multi=-1", "flags=e multi=-1"},
		"8.2":        {"flags=N multi=-1", "flags=N multi=-1"},
		"valkey-8.1": {"flags=N multi=0", "flags=N multi=0"},
		"valkey-9.1": {"flags=N multi=0", "flags=N multi=0"},
	} {
		env := commandtest.NewEnvOf(t, server)
		clients := commandtest.Connect(t, env, 2)
		info := func(c *commandtest.Client) string {
			found := regexp.MustCompile(`(flags=\w+) .*(multi=-?\d+)`).FindStringSubmatch(c.Do("CLIENT INFO"))
			return found[1] + " " + found[2]
		}
		c, watching := clients[0], clients[1]
		c.Want("UNWATCH", "OK")
		require.Equal(t, "flags=N multi=-1", info(c), server)
		c.Want("MULTI", "OK", "DISCARD", "OK")
		require.Equal(t, want.after, info(c), server)
		c.Want("CLIENT NO-EVICT ON", "OK", "RESET", "RESET")
		require.Equal(t, want.reset, info(c), server)
		watching.Want("WATCH k", "OK")
		require.Equal(t, want.after, info(watching), server)
	}
}
