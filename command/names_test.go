package command_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// notCommands are the string literals in the core that equal the name of a command or subcommand but mean something
// else.
var notCommands = map[string]string{
	"acl_check.go":  "delete multi",                  // a flag of key specifications, a context of ACL LOG
	"call.go":       "del",                           // a keyspace event
	"categories.go": "set list stream pubsub",        // groups of COMMAND DOCS and ACL categories
	"command.go":    "readonly pubsub asking module", // flags of COMMAND INFO
	"errors.go":     "script function",               // in the text of BUSY
	"serve.go":      "command",                       // an attribute of a log record
	"stats.go":      "client command",                // attributes of a log record
	"table.go":      "module",                        // a group of COMMAND DOCS
	"timing.go":     "command",                       // an event of the latency monitor
}

// The core knows no command by name: every fact about a command is in its row.
func TestCore_KnowsNoCommandByName(t *testing.T) {
	names := make(map[string]bool)
	for _, server := range emulate.All() {
		catalog.Table(server).Each(func(cmd *command.Command) { names[cmd.Name], names[cmd.FullName()] = true, true })
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, text := range stringLiterals(t, file) {
			if names[text] && !slices.Contains(strings.Fields(notCommands[file]), text) {
				t.Errorf("%s: %q is the name of a command", file, text)
			}
		}
	}
}

// stringLiterals returns the string literals of a file in lower case, without those of its imports.
func stringLiterals(t *testing.T, file string) (texts []string) {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	ast.Inspect(tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			texts = append(texts, strings.ToLower(text))
		}
		_, isImport := n.(*ast.ImportSpec)
		return !isImport
	})
	return texts
}
