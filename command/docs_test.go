package command_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "write docs/commands.md from the table of commands")

const commandsPage = "../docs/commands.md"

// docs/commands.md is written from the table, and must not fall behind it: go test ./command -run TestCommandsPage
// -rewrite
func TestCommandsPage(t *testing.T) {
	page := renderCommands()
	if *rewrite {
		require.NoError(t, os.WriteFile(commandsPage, page, 0o644))
	}
	got, err := os.ReadFile(commandsPage)
	require.NoError(t, err)
	require.Equal(t, string(page), string(got), "stale: run this test with -rewrite")
}

// documented is a command or subcommand of any server.
type documented struct {
	*command.Command        // of the newest Redis that has it, or the newest Valkey
	redis, valkey    string // since when they have it; "" for never
}

// allCommands returns the commands of all servers, without containers, by name.
func allCommands() map[string]*documented {
	all := make(map[string]*documented)
	for _, server := range slices.Backward(emulate.All()) {
		catalog.Table(server).Each(func(cmd *command.Command) {
			if cmd.Sub != nil {
				return
			}
			doc := all[cmd.FullName()]
			if doc == nil || doc.redis == "" && !server.Valkey {
				doc = &documented{Command: cmd, valkey: doc.sinceValkey()}
				all[cmd.FullName()] = doc
			}
			if server.Valkey {
				doc.valkey = cmd.Since
			} else {
				doc.redis = cmd.Since
			}
		})
	}
	return all
}

func (d *documented) sinceValkey() string {
	if d == nil {
		return ""
	}
	return d.valkey
}

// since is the cell of the page that says which versions have the command. Valkey has all of Redis 7.2.
func (d *documented) since() string {
	switch {
	case d.redis == d.valkey:
		return d.redis
	case d.valkey == "":
		return "Redis " + d.redis
	case d.redis == "":
		return "Valkey " + d.valkey
	}
	return "Redis " + d.redis + ", Valkey " + d.valkey
}

func renderCommands() []byte {
	all := allCommands()
	groups := make(map[string][]string)
	for name, cmd := range all {
		group := cmd.Group
		if cmd.Module != "" {
			group = "module " + cmd.Module
		}
		groups[group] = append(groups[group], name)
	}
	var page bytes.Buffer
	fmt.Fprintf(&page, "# Commands\n\nAll %d commands of minilockd, with subcommands, written by a test from the table "+
		"that serves them. `--emulate` decides which of them a server has. Braces say the same of arguments: `{8.4 "+
		"valkey-8.1}` is behind one that Redis 8.4 and Valkey 8.1 and later have, `{7.2}` behind one of Redis 7.2 and "+
		"every Valkey, `{<7.2}` behind one that they do not have any more.\n"+
		"\nWhere a line says \"would\", that is what Redis does; minilockd answers with an error that says why not.\n",
		len(all))
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(&page, "\n## %s\n\n| command | since | |\n|---|---|---|\n", group)
		slices.Sort(groups[group])
		for _, name := range groups[group] {
			renderCommand(&page, all[name])
		}
	}
	return page.Bytes()
}

func renderCommand(page *bytes.Buffer, d *documented) {
	name := strings.ToUpper(strings.ReplaceAll(d.FullName(), "|", " "))
	usage := strings.ReplaceAll(strings.TrimSpace(name+" "+d.MarkedUsage()), "|", `\|`)
	fmt.Fprintf(page, "| `%s` | %s | %s |\n", usage, d.since(), d.Summary)
}
