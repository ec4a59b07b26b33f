package config

import (
	"testing"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// newConfig returns the default settings of a server without commands.
func newConfig() *Config { return New(emulate.Named(""), acl.NewCommands(emulate.Named(""), nil, nil)) }

func TestConfig_Match_All(t *testing.T) {
	c := newConfig()
	all := c.Match([]string{"*"})
	hidden := 0
	for i := range c.params.rows {
		if c.params.rows[i].hidden {
			hidden++
		}
	}
	require.Len(t, all, 2*(len(c.params.names)-hidden))
}

// A parameter may be set by its name and its alias at once. Undo sets it back to the value before both.
func TestConfig_Set_RestoresAliases(t *testing.T) {
	c := newConfig()
	for _, first := range []string{"replica-priority", "slave-priority"} {
		second := c.params.named(first).alias
		if first == second {
			second = c.params.named(first).name
		}
		undo, err := c.Set([]Setting{{Name: first, Value: "1"}, {Name: second, Value: "2"}})
		require.NoError(t, err)
		require.Equal(t, "2", c.Get("replica-priority"))
		undo()
		require.Equal(t, "100", c.Get("replica-priority"))
		_, err = c.Set([]Setting{{Name: first, Value: "1"}, {Name: second, Value: "x"}})
		require.ErrorIs(t, err, errInteger)
		require.Equal(t, "100", c.Get("replica-priority"))
	}
}

// A value that is not valid is reported before one that is not supported here, as Redis parses all values before it
// applies any.
func TestConfig_Set_ValuesFirst(t *testing.T) {
	c := newConfig()
	_, err := c.Set([]Setting{{Name: "appendonly", Value: "yes"}, {Name: "timeout", Value: "x"}})
	require.ErrorIs(t, err, errInteger)
}

// Every parameter that can't be changed has a reason for the error message.
func TestConfig_Reasons(t *testing.T) {
	c := newConfig()
	for i := range c.params.rows {
		p := &c.params.rows[i]
		require.Equal(t, p.mutable == pinned || p.always, p.reason != nil, p.name)
		if p.kind == nil {
			continue
		}
		if _, err := p.check(p.value, p.value); p.name != "replicaof" {
			require.NoError(t, err, p.name)
		}
	}
}

// Values that can't be applied are found when all values of a call are valid.
func TestSet_LateErrors(t *testing.T) {
	c := newConfig()
	_, err := c.Set([]Setting{{Name: "locale-collate", Value: "nowhere"}, {Name: "timeout", Value: "x"}})
	require.Contains(t, err.Error(), "'timeout'")
	_, err = c.Set([]Setting{{Name: "locale-collate", Value: "nowhere"}, {Name: "timeout", Value: "1"}})
	require.Contains(t, err.Error(), "Invalid locale name")
	_, err = c.Set([]Setting{{Name: "cluster-announce-human-nodename", Value: "a\x00b"}})
	require.Contains(t, err.Error(), "invalid character")
}
