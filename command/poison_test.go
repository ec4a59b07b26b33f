//go:build poison

package command_test

import (
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

// A handler that wrongly keeps memory for the next command is found by its reply.
func TestPoison_ShowsWhatIsKept(t *testing.T) {
	var word, elements resp.Value
	table := command.NewTable(emulate.Named(""), command.Family{Group: "generic", Rows: []command.Command{
		{Name: "word", Usage: "word", Arity: 2, Run: func(c *command.Call) resp.Value { // replies the word before
			last := word
			word = resp.Bulk(c.Arg(1))
			return last
		}},
		{Name: "elements", Arity: 1, Run: func(c *command.Call) resp.Value { // makes a reply the first time
			if elements.IsNull() {
				elements = resp.Array(append(c.Elements(2), resp.Int(1), resp.Int(2))...)
			}
			return elements
		}},
	}})
	elements = resp.Null
	env := command.NewEnv(command.Options{Table: table, Clock: clock.NewOffset(clock.Real{}),
		Clients: new(commandtest.FakeClients)})
	t.Cleanup(env.Close)
	c := commandtest.NewClient(t, env)
	c.Do("WORD abc")
	require.Equal(t, `"\xdb\xdb\xdb"`, c.Do("WORD b"))
	require.Equal(t, "[1 2]", c.Do("ELEMENTS"))
	require.Contains(t, c.Do("ELEMENTS"), "ERR an element of an earlier reply was used")
}
