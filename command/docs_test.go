package command_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "write docs/commands.md from the table of commands")

const commandsPage = "../docs/commands.md"

// docs/commands.md is written from the table, and must not fall behind it: go test ./command -run TestCommandsPage
// -rewrite
func TestCommandsPage(t *testing.T) {
	page := renderCommands(catalog.Table())
	if *rewrite {
		require.NoError(t, os.WriteFile(commandsPage, page, 0o644))
	}
	got, err := os.ReadFile(commandsPage)
	require.NoError(t, err)
	require.Equal(t, string(page), string(got), "stale: run this test with -rewrite")
}

func renderCommands(table *command.Table) []byte {
	groups := make(map[string][]*command.Command)
	for _, cmd := range table.All() {
		group := cmd.Group
		if cmd.Module != "" {
			group = "module " + cmd.Module
		}
		groups[group] = append(groups[group], cmd)
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	var page bytes.Buffer
	fmt.Fprintf(&page, "# Commands\n\nAll %d commands of minilockd, written by a test from the table that serves "+
		"them.\n"+
		"\nWhere a line says \"would\", that is what Redis does; minilockd answers with an error that says why not.\n",
		len(table.All()))
	for _, name := range names {
		fmt.Fprintf(&page, "\n## %s\n\n| command | since | |\n|---|---|---|\n", name)
		for _, cmd := range groups[name] {
			renderCommand(&page, cmd)
		}
	}
	return page.Bytes()
}

func renderCommand(page *bytes.Buffer, cmd *command.Command) {
	if cmd.Sub == nil {
		usage := strings.ReplaceAll(strings.TrimSpace(strings.ToUpper(strings.ReplaceAll(cmd.FullName(), "|",
			" "))+" "+cmd.Usage), "|", `\|`)
		fmt.Fprintf(page, "| `%s` | %s | %s |\n", usage, cmd.Since, cmd.Summary)
	}
	for i := range cmd.Sub {
		renderCommand(page, &cmd.Sub[i])
	}
}
